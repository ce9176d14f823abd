//! Instances that fronts name by number.
//!
//! In: insides of instances. Out: a number for each, and from the number the insides again, as long as they are
//! there. Promise: a number is given again only when what had it is gone, and says nothing to who asks for another type.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::rc::{Rc, Weak};

/// Everything that has a number, from 1.
#[derive(Default)]
pub(super) struct Numbered {
    all: RefCell<Vec<Weak<dyn Any>>>,
    free: RefCell<Vec<u32>>,
}

impl Numbered {
    /// Gives something a number. `None` when there are no more.
    pub(super) fn add<T: Any>(&self, thing: &Rc<T>) -> Option<u32> {
        let mut all = self.all.borrow_mut();
        let thing: Weak<T> = Rc::downgrade(thing);
        if let Some(number) = self.free.borrow_mut().pop() {
            *all.get_mut(place(number)?)? = thing;
            return Some(number);
        }
        let number = u32::try_from(all.len() + 1).ok()?;
        all.push(thing);
        Some(number)
    }

    /// What has this number, if it is a `T`.
    pub(super) fn get<T: Any>(&self, number: u32) -> Option<Rc<T>> {
        self.all.borrow().get(place(number)?)?.upgrade()?.downcast().ok()
    }

    /// Takes a number back.
    pub(super) fn remove(&self, number: u32) {
        let mut all = self.all.borrow_mut();
        if let Some(thing) = place(number).and_then(|place| all.get_mut(place)) {
            *thing = Weak::<()>::new();
            self.free.borrow_mut().push(number);
        }
    }
}

fn place(number: u32) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}

/// The number that something has, which is taken back when it goes.
#[derive(Default)]
pub(super) struct Number(OnceCell<(u32, Rc<Numbered>)>);

impl Number {
    /// Which it is, if there is one.
    pub(super) fn get(&self) -> Option<u32> {
        self.0.get().map(|(number, _)| *number)
    }

    /// Notes which it is, and whose.
    pub(super) fn set(&self, number: u32, all: &Rc<Numbered>) {
        let _ = self.0.set((number, Rc::clone(all)));
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        if let Some((number, all)) = self.0.take() {
            all.remove(number);
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
        assert_eq!(numbered.get::<&str>(2).as_deref(), Some(&"b"));
        assert_eq!(numbered.get::<String>(2), None);
        assert_eq!([0, 3].map(|number| numbered.get::<&str>(number)), [None, None]);
        numbered.remove(1);
        assert_eq!(numbered.get::<&str>(1), None);
        assert_eq!(numbered.add(&things[0]), Some(1));
        drop(things);
        assert_eq!(numbered.get::<&str>(1), None);
    }

    #[test]
    fn a_number_goes_with_what_has_it() {
        let (all, number) = (Rc::new(Numbered::default()), Number::default());
        assert_eq!(number.get(), None);
        let thing = Rc::new(());
        number.set(all.add(&thing).unwrap(), &all);
        assert_eq!(number.get(), Some(1));
        drop(number);
        assert_eq!(all.get::<()>(1), None);
    }
}
