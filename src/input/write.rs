//! A value as JSON again, as far as there is room.

use super::json::quote;
use super::value::Value;

/// Deeper than anything worth keeping; a live object may hold itself.
const DEEPEST: usize = 16;

/// Why a value was not written.
enum Stop {
    /// It is longer, or deeper, than there is room for.
    TooMuch,
    /// It has no such form: a function, a symbol.
    Nothing,
}

/// `value` as compact JSON of at most `most` bytes. `None` when it is longer, or has no such form.
pub fn to_json<'v, V: Value<'v>>(value: V, most: usize) -> Option<String> {
    let mut json = String::new();
    write(value, most, DEEPEST, &mut json).ok().map(|()| json)
}

/// The beginning of that, as a preview.
pub fn preview<'v, V: Value<'v>>(value: V, most: usize) -> Option<String> {
    let mut json = String::new();
    let _ = write(value, most, DEEPEST, &mut json);
    (json.len() > 2).then_some(json)
}

fn write<'v, V: Value<'v>>(
    value: V,
    most: usize,
    depth: usize,
    json: &mut String,
) -> Result<(), Stop> {
    if let Some(text) = value.text() {
        let end = crate::model::span::floor(&text, most);
        quote(text.get(..end).unwrap_or_default(), json);
    } else if let Some(number) = value.number() {
        // JSON has neither infinities nor NaN.
        json.push_str(&if number.is_finite() { number.to_string() } else { "null".to_owned() });
    } else if let Some(flag) = value.flag() {
        json.push_str(if flag { "true" } else { "false" });
    } else if depth == 0 {
        return Err(Stop::TooMuch);
    } else if let Some(length) = value.length() {
        write_list(value, length, most, depth, json)?;
    } else {
        write_fields(value, most, depth, json)?;
    }
    if json.len() > most { Err(Stop::TooMuch) } else { Ok(()) }
}

fn write_list<'v, V: Value<'v>>(
    list: V,
    length: usize,
    most: usize,
    depth: usize,
    json: &mut String,
) -> Result<(), Stop> {
    // Each item takes two bytes at the least.
    if length > most / 2 {
        return Err(Stop::TooMuch);
    }
    let (mut next, mut result) = (0, Ok(()));
    json.push('[');
    // What is missing or has no form keeps its place.
    let mut fill = |json: &mut String, to: usize| {
        while next < to {
            json.push_str(if next == 0 { "null" } else { ",null" });
            next += 1;
        }
        next = to + 1;
        json.push_str(if to == 0 { "" } else { "," });
    };
    list.each(|index, item| {
        if result.is_ok() {
            fill(json, index);
            result = match write(item, most, depth - 1, json) {
                Err(Stop::Nothing) => {
                    json.push_str("null");
                    Ok(())
                }
                other => other,
            };
        }
    });
    result?;
    if length > next {
        for _ in next..length {
            json.push_str(if json.ends_with('[') { "null" } else { ",null" });
        }
    }
    json.push(']');
    Ok(())
}

fn write_fields<'v, V: Value<'v>>(
    value: V,
    most: usize,
    depth: usize,
    json: &mut String,
) -> Result<(), Stop> {
    let mut result = Ok(());
    let start = json.len();
    json.push('{');
    let is_object = value.fields(|name, field| {
        if result.is_err() {
            return;
        }
        let before = json.len();
        if !json.ends_with('{') {
            json.push(',');
        }
        quote(name, json);
        json.push(':');
        result = match write(field, most, depth - 1, json) {
            // Left out, as JavaScript does.
            Err(Stop::Nothing) => {
                json.truncate(before);
                Ok(())
            }
            other => other,
        };
    });
    if !is_object {
        json.truncate(start);
        return Err(Stop::Nothing);
    }
    result?;
    json.push('}');
    Ok(())
}
