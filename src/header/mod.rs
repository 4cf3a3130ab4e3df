//! Field bodies to structure, and text to field bodies.

pub mod encode;
