//! A list that most often has one element or none.

/// One needs no list: most fields with words in them have text in one charset, and most
/// labels are all that there is to note.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Few<T> {
    #[default]
    None,
    One(T),
    Many(Vec<T>),
}

impl<T> Few<T> {
    pub(super) fn push(&mut self, next: T) {
        *self = match std::mem::take(self) {
            Few::None => Few::One(next),
            Few::One(first) => Few::Many(vec![first, next]),
            Few::Many(mut all) => {
                all.push(next);
                Few::Many(all)
            }
        };
    }

    pub(super) fn as_slice(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(only) => std::slice::from_ref(only),
            Few::Many(all) => all,
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Few::None => &mut [],
            Few::One(only) => std::slice::from_mut(only),
            Few::Many(all) => all,
        }
    }
}
