//! Markers found, case by case, and against CommonMark.

mod answers;
mod cases;
mod formats;
mod limits;
mod oracle;
mod places;
mod properties;
