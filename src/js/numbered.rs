//! Things that JavaScript names by number.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// Things with their numbers, from 1. A number is given again when what had it is gone.
#[derive(Debug)]
pub(super) struct Numbered<T> {
    all: RefCell<Vec<Weak<T>>>,
    free: RefCell<Vec<u32>>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { all: RefCell::default(), free: RefCell::default() }
    }
}

impl<T> Numbered<T> {
    /// Gives something a number. `None` when there are no more.
    pub(super) fn add(&self, thing: &Rc<T>) -> Option<u32> {
        let (mut all, thing) = (self.all.borrow_mut(), Rc::downgrade(thing));
        if let Some(number) = self.free.borrow_mut().pop() {
            *all.get_mut(number as usize - 1)? = thing;
            return Some(number);
        }
        let number = u32::try_from(all.len() + 1).ok()?;
        all.push(thing);
        Some(number)
    }

    /// What has this number.
    pub(super) fn get(&self, number: u32) -> Option<Rc<T>> {
        self.all.borrow().get(number.checked_sub(1)? as usize)?.upgrade()
    }

    /// Takes a number back.
    pub(super) fn remove(&self, number: u32) {
        if let Some(thing) = self.all.borrow_mut().get_mut(number as usize - 1) {
            *thing = Weak::new();
            self.free.borrow_mut().push(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_again() {
        let numbered = Numbered::default();
        let things = ["a", "b"].map(Rc::new);
        assert_eq!(things.each_ref().map(|thing| numbered.add(thing)), [Some(1), Some(2)]);
        assert_eq!(numbered.get(2).as_deref(), Some(&"b"));
        assert_eq!([0, 3].map(|number| numbered.get(number)), [None, None]);
        numbered.remove(1);
        assert_eq!(numbered.get(1), None);
        assert_eq!(numbered.add(&things[0]), Some(1));
        drop(things);
        assert_eq!(numbered.get(1), None);
    }
}
