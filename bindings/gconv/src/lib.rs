//! A module for glibc's `iconv` (`gconv.h`): the charsets of mime-charset that glibc has not, to
//! UTF-8, from which glibc goes on by itself.
//!
//! glibc opens the module for a line of `gconv-modules`, calls [`border::gconv_init`] for a step from
//! one charset to another, [`border::gconv`] for octets, and [`border::gconv_end`] when the last
//! descriptor with that step is closed. All `unsafe` is in `border.rs`; what is done with the octets,
//! in `conversion.rs` and `drive.rs`, knows nothing of glibc's pointers.
#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#![deny(unsafe_code)]

pub mod border;
mod conversion;
mod drive;
mod states;
