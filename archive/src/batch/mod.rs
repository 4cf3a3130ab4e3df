//! Conversions, proofs and surveys of whole archives.

mod compare;
mod convert;
mod counter;
mod counts;
mod done;
mod event;
mod job;
mod mailbox;
mod opening;
mod outcome;
mod pairs;
mod pipeline;
mod place;
mod proof;
mod reading;
mod record;
mod recorded;
mod report;
mod settings;
mod stored_form;
mod summary;
mod survey;
mod survey_report;
mod verify;
mod writing;

pub use self::convert::Convert;
pub use counts::{Counts, Example, Row, Subject};
pub use event::{Event, Mismatch, Progress};
pub use mailbox::convert_mailbox;
pub use outcome::{End, Outcome};
pub use proof::Proof;
pub use summary::{Problem, Summary};
pub use survey::Survey;
pub use survey_report::{is_report, survey_report};
pub use verify::Verify;
