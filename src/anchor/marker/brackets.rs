//! The brackets that are open in a paragraph.

/// An open bracket.
#[derive(Clone, Copy)]
pub(super) struct Bracket {
    pub(super) at: usize,
    pub(super) image: bool,
    /// Whether what it holds may be the text of a link.
    pub(super) may_be_link: bool,
}

/// Open brackets, the innermost last.
#[derive(Default)]
pub(super) struct Brackets {
    open: Vec<(usize, bool)>,
    /// Brackets below this index hold a link; so they cannot be one, unless they are images.
    active: usize,
    /// The indices of images.
    images: Vec<usize>,
}

impl Brackets {
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.active = 0;
        self.images.clear();
    }

    pub(super) fn push(&mut self, at: usize, image: bool) {
        if image {
            self.images.push(self.open.len());
        }
        self.open.push((at, image));
    }

    pub(super) fn last(&self) -> Option<Bracket> {
        let (at, image) = self.open.last().copied()?;
        Some(Bracket { at, image, may_be_link: image || self.open.len() > self.active })
    }

    pub(super) fn pop(&mut self) {
        if let Some((_, true)) = self.open.pop() {
            self.images.pop();
        }
        self.active = self.active.min(self.open.len());
    }

    /// A link, or an image, ends here: no link holds another.
    pub(super) fn end_link(&mut self, image: bool) {
        if !image {
            self.active = self.open.len();
        }
    }

    /// Where the oldest starts that may still become a link.
    pub(super) fn oldest(&self) -> Option<usize> {
        let image = self.images.first().copied();
        let index = image.map_or(self.active, |image| image.min(self.active));
        self.open.get(index).map(|(at, _)| *at)
    }
}
