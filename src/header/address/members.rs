//! Splits an address list into members.

use std::collections::VecDeque;

use super::entry::WrittenMailbox;
use super::member::{BracketContent, End, MAX_LEXEMES, Member};
use super::strict;
use crate::header::lexeme::{Brackets, Class, Lexeme, Lexemes};
use crate::header::token::trim_start;
use crate::report::{Kind, Report};
use crate::work::work;

/// Reads the members of an address list one by one.
#[derive(Debug)]
pub(super) struct Members<'a> {
    pub(super) lexemes: Lexemes<'a>,
    /// The start of the next member, if it was read with the current member.
    carried: Vec<Lexeme>,
    /// Members that were read as one and split afterwards.
    pending: VecDeque<Member>,
    pub(super) in_group: bool,
    previous: Option<End>,
}

const EMPTY_MEMBER: &str = "a comma without an address";

impl<'a> Members<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        let mut lexemes = Lexemes::new(body);
        lexemes.addresses = true;
        Members {
            lexemes,
            carried: Vec::new(),
            pending: VecDeque::new(),
            in_group: false,
            previous: None,
        }
    }

    pub(super) fn report(&mut self) -> &mut Report {
        &mut self.lexemes.field.report
    }

    #[cold]
    pub(super) fn add(&mut self, kind: Kind, at: usize, length: usize, detail: &'static str) {
        self.report().add(kind, at, length, detail);
    }

    /// Reads the next member if it is a mailbox that follows the grammar.
    pub(super) fn strict_mailbox(&mut self) -> Option<WrittenMailbox<'a>> {
        if !(self.carried.is_empty() && self.pending.is_empty() && self.lexemes.may_quote()) {
            return None;
        }
        let input = trim_start(self.lexemes.rest());
        let field = &mut self.lexemes.field;
        let (rest, mailbox) = strict::mailbox(field.body, input, self.in_group, &mut field.report)?;
        let (end, rest) = match rest.split_first() {
            Some((_, rest)) => (End::Comma, rest),
            None => (End::Field, rest),
        };
        self.previous = Some(end);
        self.lexemes.resume_at(rest);
        Some(mailbox)
    }

    /// Reads the next member into `member`. Returns `false` if there is no next member.
    ///
    /// > address-list = (address *("," address)) / obs-addr-list
    ///
    /// An unquoted name may have commas, as in `Doe, John <john@example.org>`: some programs omit the
    /// quotes. Text before a comma belongs to a name, and is not a mailbox, if it has no address and if
    /// text and an angle bracket follow.
    pub(super) fn next(&mut self, member: &mut Member) -> bool {
        if let Some(first) = self.pending.pop_front() {
            *member = first;
            self.finish(member, None);
            return true;
        }
        if self.previous == Some(End::Field) {
            return false;
        }
        self.skip_empty_members();
        member.clear(self.lexemes.field.body.len());
        self.lexemes.words = true;
        if !self.carried.is_empty() {
            self.add_carried(member);
        }
        let mut overflow = None;
        loop {
            let has_gap = self.lexemes.skip_blanks();
            let is_full = member.count + usize::from(has_gap) >= MAX_LEXEMES;
            let Some(lexeme) = self.lexeme(member, has_gap) else {
                break;
            };
            let separates = matches!(lexeme.class, Class::Special(b',' | b';' | b':'));
            if separates {
                // The name may continue after a comma.
                if member.name_may_continue_after(&lexeme) && self.name_continues() {
                    member.commas.push(member.lexemes.len());
                    member.push(lexeme);
                    member.has_text = false;
                    continue;
                }
                if let Some(end) = self.end(member, &lexeme) {
                    (member.end, member.after) = (end, lexeme.end);
                    break;
                }
            }
            let opens = lexeme.is_special(b'<');
            if opens && member.has_text {
                member.commas.clear();
            }
            if !member.commas.is_empty() && (is_full || opens || lexeme.at_signs > 0) {
                self.split_member(member, Some(lexeme));
                break;
            }
            if is_full {
                overflow.get_or_insert(lexeme.start);
            } else if opens && member.close.is_some() {
                self.carry(member, lexeme);
                break;
            } else {
                self.add_lexeme(member, lexeme);
            }
        }
        if !member.commas.is_empty() {
            self.split_member(member, None);
        }
        self.finish(member, overflow);
        true
    }

    /// The next lexeme of `member`. `has_gap` records that white space was skipped before it.
    #[inline]
    fn lexeme(&mut self, member: &Member, has_gap: bool) -> Option<Lexeme> {
        if self.lexemes.rest().first() == Some(&b'[') {
            let mut before = member.lexemes.iter().rev();
            let mut is_separate = has_gap;
            let last = before.find(|last| {
                is_separate |= last.class == Class::ExtraBracket && last.has_gap;
                last.class != Class::ExtraBracket
            });
            let last = last.map(|last| last.class);
            is_separate |= matches!(last, None | Some(Class::Comment | Class::Special(b',')));
            self.lexemes.brackets = if member.ends_with_at_sign(self.lexemes.field.body) {
                Brackets::Literal
            } else if is_separate && !member.in_angle() {
                Brackets::Name
            } else {
                Brackets::Nothing
            };
        }
        self.lexemes.lexeme(has_gap)
    }

    /// Whether a name may continue after the comma just read.
    fn name_continues(&self) -> bool {
        let next = trim_start(self.lexemes.rest()).first();
        next.is_some_and(|next| !b",;:<>@".contains(next))
    }

    /// Splits a member at its commas, because they turned out not to be part of a name. If there is a
    /// `next` lexeme, the text after the last comma and `next` belong to one member.
    fn split_member(&mut self, member: &mut Member, next: Option<Lexeme>) {
        let length = self.lexemes.field.body.len();
        let mut lexemes = std::mem::take(&mut member.lexemes).into_iter();
        let mut start = 0;
        for comma in std::mem::take(&mut member.commas) {
            let part = lexemes.by_ref().take(comma - start).collect();
            let after = lexemes.next().map_or(length, |comma| comma.end);
            start = comma + 1;
            self.pending.push_back(Member::of(part, End::Comma, after));
        }
        let last = lexemes.chain(next).collect();
        if next.is_some() {
            self.carried = last;
        } else {
            let last = Member::of(last, member.end, member.after);
            self.pending.push_back(last);
        }
        if let Some(first) = self.pending.pop_front() {
            *member = first;
        }
    }

    /// Skips commas without an address before them. A field may have a million such commas.
    ///
    /// > obs-addr-list = *(\[CFWS\] ",") address *("," [address / CFWS])
    fn skip_empty_members(&mut self) {
        while self.carried.is_empty() {
            let rest = trim_start(self.lexemes.rest());
            let at = self.lexemes.field.offset(rest);
            match rest.first() {
                Some(b',') => {}
                Some(b';') if !self.in_group => self.semicolon(at),
                _ => break,
            }
            // A comma may follow a group.
            if self.previous != Some(End::Semicolon) {
                self.add(Kind::SkippedText, at + 1, 0, EMPTY_MEMBER);
            }
            self.previous = Some(End::Comma);
            self.lexemes.resume_at(rest.get(1..).unwrap_or_default());
        }
    }

    /// Outlook separates addresses by semicolons.
    fn semicolon(&mut self, at: usize) {
        let detail = "a semicolon between addresses, read as a comma";
        self.add(Kind::SkippedText, at, 1, detail);
    }

    /// The kind of end, if `lexeme` ends `member`.
    fn end(&mut self, member: &Member, lexeme: &Lexeme) -> Option<End> {
        match lexeme.class {
            Class::Special(b',') if !member.in_route => Some(End::Comma),
            // Exchange writes `<Undisclosed-Recipient:;>`.
            Class::Special(b';') if member.in_angle() && self.lexemes.rest().starts_with(b">") => {
                None
            }
            Class::Special(b';') if self.in_group => Some(End::Semicolon),
            Class::Special(b';') => {
                self.semicolon(lexeme.start);
                Some(End::Comma)
            }
            // > group = display-name ":" [group-list] ";" [CFWS]
            Class::Special(b':') => {
                let is_name = member.open.is_none() && !member.has_at;
                is_name.then_some(End::Colon)
            }
            _ => None,
        }
    }

    /// Appends `lexeme` to `member`.
    ///
    /// > angle-addr = \[CFWS\] "<" addr-spec ">" \[CFWS\] / obs-angle-addr
    #[inline]
    fn add_lexeme(&mut self, member: &mut Member, mut lexeme: Lexeme) {
        let in_angle = member.in_angle();
        match lexeme.class {
            Class::Special(b':') => {
                member.in_route = false;
                member.bracket_content = BracketContent::Address;
            }
            Class::Special(b'<') if member.open.is_none() => member.open(),
            // No address followed the first bracket, so that bracket belongs to the name.
            Class::Special(b'<') if in_angle && member.bracket_content == BracketContent::Words => {
                let first = member.open.and_then(|open| member.lexemes.get_mut(open));
                if let Some(first) = first {
                    first.class = Class::ExtraBracket;
                    let at = first.start;
                    self.extra_bracket(at);
                }
                member.open();
            }
            Class::Special(b'>') if in_angle => member.close = Some(member.lexemes.len()),
            Class::Special(b'<' | b'>') => {
                self.extra_bracket(lexeme.start);
                lexeme.class = Class::ExtraBracket;
                return member.push(lexeme);
            }
            Class::Comment => return member.push(lexeme),
            _ => return member.add(self.lexemes.field.body, lexeme),
        }
        self.lexemes.words = !member.in_angle();
        member.has_text = true;
        member.push(lexeme);
    }

    #[cold]
    fn add_carried(&mut self, member: &mut Member) {
        for lexeme in std::mem::take(&mut self.carried) {
            self.add_lexeme(member, lexeme);
        }
    }

    fn extra_bracket(&mut self, at: usize) {
        let detail = "an extra angle bracket";
        self.add(Kind::SkippedText, at, 1, detail);
    }

    /// Ends a member before the name of the next member, if no comma separates them. Some scripts join
    /// addresses with blanks: `a <a@example.org> b <b@example.org>`.
    fn carry(&mut self, member: &mut Member, lexeme: Lexeme) {
        let following = member.close.map_or(0, |close| close + 1);
        self.carried = member.lexemes.split_off(following);
        let mut start = member.lexemes.last().map_or(0, |close| close.end);
        for next in &self.carried {
            if next.class != Class::ExtraBracket || next.has_gap {
                break;
            }
            start = next.end;
        }
        self.carried.push(lexeme);
        (member.end, member.after) = (End::Comma, start);
        self.add(
            Kind::SkippedText,
            start,
            0,
            "no comma between two addresses",
        );
    }

    /// Computes the span of a complete member, and reports missing parts.
    #[inline]
    fn finish(&mut self, member: &mut Member, overflow: Option<usize>) {
        work(member.lexemes.len());
        member.measure();
        let (start, end) = member.span;
        if member.in_angle() {
            let detail = "an address without its closing angle bracket";
            self.add(Kind::Unterminated, start, end - start, detail);
        }
        if let Some(at) = overflow {
            let detail = "an address of more than 4096 lexemes";
            let length = member.after.saturating_sub(at);
            self.add(Kind::LimitReached, at, length, detail);
        }
        let is_empty = start == end;
        let is_missing = match (self.previous, member.end) {
            // A comma may follow a group.
            (Some(End::Semicolon), _) | (_, End::Colon) => false,
            (_, End::Comma) | (Some(End::Comma), _) => is_empty,
            _ => false,
        };
        if is_missing {
            self.add(Kind::SkippedText, start, 0, EMPTY_MEMBER);
        }
        self.in_group = match member.end {
            End::Colon => true,
            End::Semicolon => false,
            End::Comma | End::Field => self.in_group,
        };
        self.previous = Some(member.end);
    }
}
