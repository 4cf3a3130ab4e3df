//! A list that usually has at most one element.

/// A list that allocates memory only if it has two elements or more: most fields have one piece and one
/// charset.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Few<T> {
    #[default]
    None,
    One(T),
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// Capacity of the first allocation: a field with several pieces rarely has more.
    const CAPACITY: usize = 8;

    pub(crate) fn push(&mut self, next: T) {
        match self {
            Few::None => *self = Few::One(next),
            Few::Many(all) => all.push(next),
            Few::One(_) => {
                let mut all = Vec::with_capacity(Self::CAPACITY);
                if let Few::One(first) = std::mem::take(self) {
                    all.push(first);
                }
                all.push(next);
                *self = Few::Many(all);
            }
        }
    }

    pub(crate) fn into_vec(self) -> Vec<T> {
        match self {
            Few::None => Vec::new(),
            Few::One(only) => vec![only],
            Few::Many(all) => all,
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(only) => std::slice::from_ref(only),
            Few::Many(all) => all,
        }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Few::None => &mut [],
            Few::One(only) => std::slice::from_mut(only),
            Few::Many(all) => all,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }
}
