//! Tests of the public interface, by standards, other programs and random input.

#[cfg(feature = "convert")]
mod addresses;
mod charsets_east_asian;
#[cfg(feature = "legacy")]
mod charsets_page;
#[cfg(feature = "legacy")]
mod charsets_sequences;
#[cfg(feature = "legacy")]
mod charsets_single_byte;
mod charsets_unicode;
#[cfg(all(feature = "convert", feature = "detect"))]
mod convert;
#[cfg(all(feature = "convert", feature = "detect", feature = "legacy"))]
mod corpus;
#[cfg(feature = "convert")]
mod cut_words;
mod damage;
mod dates;
mod decisions;
mod dependencies;
#[cfg(all(feature = "detect", feature = "legacy"))]
mod detect;
#[cfg(all(feature = "detect", feature = "legacy"))]
mod detect_short;
mod encoders;
mod examples;
mod features;
mod filenames;
mod forced;
#[cfg(feature = "convert")]
mod header_ends;
mod house;
mod identifiers;
mod interface;
mod labels;
#[cfg(feature = "convert")]
#[expect(unreachable_pub, reason = "the fuzz targets use it too")]
mod laws;
#[cfg(feature = "convert")]
mod limits;
mod mailbox_names;
#[cfg(feature = "mailparse")]
mod mailparse;
#[cfg(feature = "convert")]
mod malformed;
mod message;
mod partial;
#[cfg(feature = "convert")]
mod properties;
mod reading;
mod samples;
#[cfg(feature = "convert")]
mod security;
mod standards;
mod standards_header;
#[cfg(feature = "convert")]
mod structure;
mod subjects;
#[cfg(all(feature = "detect", feature = "legacy"))]
mod suite;
#[cfg(all(feature = "convert", feature = "detect"))]
mod surroundings;
mod transfer;
mod uuencode;
#[cfg(feature = "convert")]
mod words;
