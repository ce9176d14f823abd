//! What searches have said of files and pages. Who cites them may say less.

use crate::clean;
use crate::clean::url::page_key;
use crate::dedupe;
use crate::model::Source;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// All that was found, by address or by the id of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Finds(BTreeMap<String, Found>);

/// What was found of one thing.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    source: Source<'static>,
    /// Whether other words of it were found too. A citation does not say which of them it means.
    has_others: bool,
}

impl Found {
    /// Of the same thing, what was said first counts.
    fn add(&mut self, mut again: Self) {
        let words = self.source.cited_text.as_ref().zip(again.source.cited_text.as_ref());
        self.has_others |= again.has_others || words.is_some_and(|(held, new)| held != new);
        dedupe::complete(&mut self.source, &mut again.source);
        self.source.cited_text = self.source.cited_text.take().or(again.source.cited_text);
    }
}

impl Finds {
    /// Takes what a search says.
    pub fn add(&mut self, source: Source<'static>) {
        self.take(Found { source, has_others: false });
    }

    fn take(&mut self, mut found: Found) {
        clean::source(&mut found.source);
        forget_stand_in(&mut found.source);
        let Some(key) = key(&found.source).map(Cow::into_owned) else { return };
        match self.0.entry(key) {
            Entry::Vacant(free) => drop(free.insert(found)),
            Entry::Occupied(held) => held.into_mut().add(found),
        }
    }

    /// What was said of a source that lacks something.
    fn of(&self, source: &Source<'_>) -> Option<&Found> {
        if self.0.is_empty() || !lacks(source) {
            return None;
        }
        self.0.get(key(source)?.as_ref())
    }

    /// Gives a source what it lacks.
    pub fn complete(&self, source: &mut Source<'_>) {
        if let Some(Found { source: found, has_others }) = self.of(source) {
            let mut found = found.clone();
            // Of any source but a file the words are part of what it is.
            let has_words = !has_others && dedupe::cites_file(source);
            found.cited_text = found.cited_text.filter(|_| has_words);
            forget_stand_in(source);
            dedupe::complete(source, &mut found);
            clean::source(source);
        }
    }

    /// The same for sources of which most stay as they are.
    pub fn complete_all(&self, sources: &mut [Cow<'_, Source<'static>>]) {
        for source in sources.iter_mut().filter(|source| self.of(source).is_some()) {
            self.complete(source.to_mut());
        }
    }

    /// Cleans what somebody else has kept.
    pub fn clean(&mut self) {
        for (_, found) in std::mem::take(&mut self.0) {
            self.take(found);
        }
    }
}

/// Whether a search could add something: a name, or words of a file. Pages are cited with their words.
pub fn lacks(source: &Source<'_>) -> bool {
    let is_named = source.title.is_some() && source.title != source.file_id;
    !is_named || dedupe::cites_file(source) && source.cited_text.is_none()
}

fn key<'s>(source: &'s Source<'_>) -> Option<Cow<'s, str>> {
    let file = || source.file_id.as_deref().map(Cow::Borrowed);
    source.url.as_deref().map(page_key).or_else(file)
}

/// A file without a name is called by its id, which is no name to keep where there is one.
fn forget_stand_in(source: &mut Source<'_>) {
    if source.title == source.file_id {
        source.title = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Location;

    fn file(title: Option<&'static str>, words: Option<&'static str>) -> Source<'static> {
        let file_id = Some("file-1".into());
        let (title, cited_text) = (title.map(Into::into), words.map(Into::into));
        let location = Some(Location::FileCitation { index: 2 });
        Source { title, cited_text, file_id, location, ..Source::default() }
    }

    fn completed(finds: &[Source<'static>], mut source: Source<'static>) -> Source<'static> {
        let mut all = Finds::default();
        for found in finds {
            all.add(found.clone());
        }
        clean::source(&mut source);
        let mut listed = [Cow::Owned(source.clone())];
        all.complete_all(&mut listed);
        all.clean();
        all.complete(&mut source);
        assert_eq!(listed, [Cow::Borrowed(&source)]);
        source
    }

    #[test]
    fn what_is_missing_is_added_and_nothing_else() {
        let found = file(Some("a.pdf"), Some("Words\n\u{1b}of it."));
        let finds = [found.clone(), file(Some("b.pdf"), None), found];
        let named = |title, words| file(Some(title), Some(words));
        assert_eq!(completed(&finds, file(None, None)), named("a.pdf", "Words of it."));
        assert_eq!(completed(&finds, file(Some("c.pdf"), None)), named("c.pdf", "Words of it."));
        assert_eq!(completed(&finds, file(None, Some("Own."))), named("a.pdf", "Own."));
        let other = Source { file_id: Some("file-2".into()), ..file(Some("d.pdf"), None) };
        assert_eq!(completed(&finds, other.clone()), other);
        // What is cited in another way is told apart by its words.
        let other = Source { location: None, ..file(None, None) };
        let wanted = Source { location: None, ..file(Some("a.pdf"), None) };
        assert_eq!(completed(&finds, other), wanted);
    }

    #[test]
    fn a_later_result_says_what_the_first_does_not() {
        let finds = [file(None, None), file(None, Some("Words.")), file(Some("a.pdf"), None)];
        assert_eq!(completed(&finds, file(None, None)), file(Some("a.pdf"), Some("Words.")));
        // With no name anywhere it is called by its id as before.
        let [nameless @ .., _] = &finds;
        assert_eq!(completed(nameless, file(None, None)), file(Some("file-1"), Some("Words.")));
    }

    #[test]
    fn words_are_given_only_where_no_others_were_found() {
        let found = |words: &[&'static str]| {
            let finds: Vec<_> = words.iter().map(|words| file(None, Some(words))).collect();
            completed(&[finds, vec![file(Some("a.pdf"), None)]].concat(), file(None, None))
        };
        assert_eq!(found(&["One.", "One."]), file(Some("a.pdf"), Some("One.")));
        assert_eq!(found(&["One.", "Two."]), file(Some("a.pdf"), None));
        assert_eq!(found(&["One.", "Two.", "One."]), file(Some("a.pdf"), None));
    }

    #[test]
    fn what_cannot_be_cited_is_not_kept() {
        let mut finds = Finds::default();
        finds.add(Source { title: Some("Nameless".into()), ..Source::default() });
        assert!(finds.0.is_empty());
    }
}
