//! What protects the text of a paragraph: escapes, code, tags.

use super::html;
use super::inline::{Flow, Guard, Inline};
use super::page::{Page, closing_run};
use super::scan::WINDOW;

impl Inline {
    pub(super) fn escape(&mut self, page: &Page<'_>) -> Flow {
        let Some(next) = page.byte(self.at + 1) else { return Flow::Wait };
        if next.is_some_and(|byte| byte.is_ascii_punctuation()) {
            self.skip(1);
            self.edges.escape = self.at + 1;
        }
        self.skip(1)
    }

    /// Whether anything is left behind what is protected.
    pub(super) fn pass_guard(&mut self, page: &Page<'_>) -> bool {
        match self.guard {
            Guard::None => return true,
            Guard::Rest => self.at = page.limit,
            Guard::Run(length) => match closing_run(page, self.at, page.limit, length) {
                Ok(end) => {
                    self.at = end;
                    self.guard = Guard::None;
                }
                Err(resume) => {
                    self.at = if page.complete { page.limit } else { resume };
                    return false;
                }
            },
        }
        self.at < page.limit
    }

    pub(super) fn code(&mut self, page: &Page<'_>) -> Flow {
        let (text, ended) = page.ahead(self.at, WINDOW);
        let run = text.bytes().take_while(|byte| *byte == b'`').count();
        if run >= WINDOW {
            return self.give_up();
        }
        if run == text.len() && !ended {
            return Flow::Wait;
        }
        if self.missing_runs.contains(&run) {
            return self.skip(run);
        }
        let from = self.searched.max(self.at + run);
        match closing_run(page, from, page.limit.min(self.at + WINDOW), run) {
            Ok(end) => self.skip(end - self.at),
            Err(resume) if page.is_past(self.at) => {
                self.guard = Guard::Run(run);
                self.skip(resume - self.at)
            }
            Err(_) if page.complete => {
                self.missing_runs.push(run);
                self.skip(run)
            }
            Err(resume) => {
                self.searched = resume;
                Flow::Wait
            }
        }
    }

    pub(super) fn tag(&mut self, page: &Page<'_>) -> Flow {
        let (text, ended) = page.ahead(self.at, WINDOW);
        let missing = html::endless_kind(text).and_then(|kind| self.missing_ends.get_mut(kind));
        if missing.as_ref().is_some_and(|missing| **missing) {
            return self.skip(1);
        }
        match html::tag(text, ended) {
            Some(Some(length)) => self.skip(length),
            Some(None) => {
                if let Some(missing) = missing {
                    *missing = ended;
                }
                self.skip(1)
            }
            None if page.is_past(self.at) => self.give_up(),
            None => Flow::Wait,
        }
    }
}
