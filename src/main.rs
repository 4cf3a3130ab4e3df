//! The command `mime-charset`.

fn main() {}
