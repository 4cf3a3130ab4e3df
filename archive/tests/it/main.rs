//! Messages on disk, and archives converted and proved end to end.
#![cfg(feature = "files")]

mod archives;
mod batch;
mod examples;
#[expect(unreachable_pub, reason = "the fuzz targets use it too")]
mod law;
mod left_out;
mod limits;
mod pieces;
mod properties;
mod reports;
mod separators;
mod shares;
mod sources;
mod stores;
mod suite;
