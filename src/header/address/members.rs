//! A list of addresses, cut into its members.

use std::collections::VecDeque;

use super::list::Mailbox;
use super::mailbox::has_two_dots;
use super::member::{End, InBrackets, MAX_LEXEMES, Member};
use super::plain::Plain;
use crate::header::lexeme::{Brackets, Class, Lexeme, Lexemes};
use crate::header::token::trim_start;
use crate::report::{Kind, Report};
use crate::work::work;

/// Cuts a list of addresses into its members.
#[derive(Debug)]
pub(super) struct Members<'a> {
    pub(super) lexemes: Lexemes<'a>,
    /// The beginning of the next member, where it was read with the one before it.
    pub(super) carried: Vec<Lexeme>,
    /// The members before that, which were read as if they were one.
    pub(super) parted: VecDeque<Member>,
    pub(super) in_group: bool,
    pub(super) previous: Option<End>,
    /// Whether a full stop stands beside another somewhere, which hardly a field has.
    has_two_dots: bool,
}

const NOTHING_BEFORE: &str = "a comma without an address";

impl<'a> Members<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        Members {
            lexemes: Lexemes::new(body),
            carried: Vec::new(),
            parted: VecDeque::new(),
            in_group: false,
            previous: None,
            has_two_dots: has_two_dots(body),
        }
    }

    pub(super) fn report(&mut self) -> &mut Report {
        &mut self.lexemes.field.report
    }

    pub(super) fn add(&mut self, kind: Kind, at: usize, length: usize, detail: &'static str) {
        self.report().add(kind, at, length, detail);
    }

    /// The mailbox that comes next, if it is [plain](Plain): as nearly all are, which need not
    /// be cut into lexemes.
    #[expect(
        clippy::inline_always,
        reason = "called, it costs a mailbox with a word a twentieth of its time"
    )]
    #[inline(always)]
    pub(super) fn plain_mailbox(&mut self, has_words: bool) -> Option<Mailbox<'a>> {
        let plain = self.plain(has_words)?;
        let body = self.lexemes.field.body;
        Some(plain.into_mailbox(body, self.report()))
    }

    #[expect(
        clippy::inline_always,
        reason = "called, it costs a mailbox with a word a twentieth of its time"
    )]
    #[inline(always)]
    pub(super) fn plain(&mut self, has_words: bool) -> Option<Plain<'a>> {
        self.plain_where(has_words, |_| true)
    }

    /// The same, where its address is ASCII.
    pub(super) fn plain_in_ascii(&mut self, has_words: bool) -> Option<Plain<'a>> {
        self.plain_where(has_words, |plain| plain.addr_spec.is_ascii())
    }

    #[expect(
        clippy::inline_always,
        reason = "called, it costs a mailbox with a word a twentieth of its time"
    )]
    #[inline(always)]
    pub(super) fn plain_where(
        &mut self,
        has_words: bool,
        is_such: impl Fn(&Plain<'a>) -> bool,
    ) -> Option<Plain<'a>> {
        let in_member = self.in_group || !self.carried.is_empty() || !self.parted.is_empty();
        if in_member || self.previous == Some(End::Field) {
            return None;
        }
        let body = self.lexemes.field.body;
        let rest = self.lexemes.rest();
        let plain = Plain::first(body, rest, has_words)?;
        if !is_such(&plain) || self.has_two_dots && has_two_dots(plain.addr_spec) {
            return None;
        }
        let (rest, end) = match plain.rest {
            [] => (plain.rest, End::Field),
            [_comma, rest @ ..] => (rest, End::Comma),
        };
        self.lexemes.go_on_at(rest);
        self.previous = Some(end);
        Some(plain)
    }

    /// > address-list = (address *("," address)) / obs-addr-list
    ///
    /// A name without quotes may have commas in it, as in `Doe, John <john@example.org>`, which
    /// programs write that forget the quotes: what stands before a comma is no mailbox of its
    /// own if it has no address, and a name and an angle bracket come behind it.
    pub(super) fn next(&mut self) -> Option<Member> {
        if let Some(member) = self.parted.pop_front() {
            self.finish(&member, None);
            return Some(member);
        }
        if self.previous == Some(End::Field) {
            return None;
        }
        self.pass_over_nothing();
        let mut member = Member::new(self.lexemes.field.body.len());
        for lexeme in std::mem::take(&mut self.carried) {
            self.take(&mut member, lexeme);
        }
        let mut overflow = None;
        while let Some(lexeme) = self.lexeme(&member) {
            if member.may_go_on_behind(&lexeme) && self.name_goes_on() {
                member.commas.push(member.lexemes.len());
                member.lexemes.push(lexeme);
                member.has_text = false;
                continue;
            }
            if let Some(end) = self.end(&member, &lexeme) {
                (member.end, member.after) = (end, lexeme.end);
                break;
            }
            if lexeme.class == Class::Special(b'<') && member.has_text {
                member.commas.clear();
            }
            let is_full = member.lexemes.len() >= MAX_LEXEMES;
            let is_address = matches!(lexeme.class, Class::Special(b'<' | b'@'));
            if !member.commas.is_empty() && (is_full || is_address) {
                self.part(&mut member, Some(lexeme));
                break;
            }
            if is_full {
                overflow.get_or_insert(lexeme.start);
            } else if lexeme.class == Class::Special(b'<') && member.close.is_some() {
                self.carry(&mut member, lexeme);
                break;
            } else {
                self.take(&mut member, lexeme);
            }
        }
        if !member.commas.is_empty() {
            self.part(&mut member, None);
        }
        self.finish(&member, overflow);
        Some(member)
    }

    /// The lexeme that comes next in `member`, by what stands before it.
    pub(super) fn lexeme(&mut self, member: &Member) -> Option<Lexeme> {
        let in_angle = member.in_angle();
        let last = member.lexemes.last().map(|last| last.class);
        let is_apart = matches!(
            last,
            None | Some(Class::Blank | Class::Comment | Class::Special(b','))
        );
        self.lexemes.brackets = match member.last {
            Some(Class::Special(b'@')) => Brackets::Literal,
            _ if is_apart && !in_angle => Brackets::Name,
            _ => Brackets::Nothing,
        };
        self.lexemes.words = !in_angle;
        self.lexemes.next()
    }

    /// Whether a name may go on behind the comma that was read.
    pub(super) fn name_goes_on(&self) -> bool {
        let next = trim_start(self.lexemes.rest()).first();
        next.is_some_and(|next| !b",;:<>@".contains(next))
    }

    /// Parts a member at its commas: no name goes on behind them. What was read last belongs to
    /// the member that `next` goes on with, if there is one.
    pub(super) fn part(&mut self, member: &mut Member, next: Option<Lexeme>) {
        let length = self.lexemes.field.body.len();
        let mut lexemes = std::mem::take(&mut member.lexemes).into_iter();
        let mut start = 0;
        for comma in std::mem::take(&mut member.commas) {
            let part = lexemes.by_ref().take(comma - start).collect();
            let after = lexemes.next().map_or(length, |comma| comma.end);
            start = comma + 1;
            self.parted.push_back(Member {
                lexemes: part,
                end: End::Comma,
                after,
                ..Member::new(length)
            });
        }
        let last = lexemes.chain(next).collect();
        if next.is_some() {
            self.carried = last;
        } else {
            self.parted.push_back(Member {
                lexemes: last,
                end: member.end,
                after: member.after,
                ..Member::new(length)
            });
        }
        if let Some(first) = self.parted.pop_front() {
            *member = first;
        }
    }

    /// Passes over commas with nothing before them, of which there may be a million.
    ///
    /// > obs-addr-list = *([CFWS] ",") address *("," [address / CFWS])
    pub(super) fn pass_over_nothing(&mut self) {
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
                self.add(Kind::SkippedText, at + 1, 0, NOTHING_BEFORE);
            }
            self.previous = Some(End::Comma);
            self.lexemes.go_on_at(rest.get(1..).unwrap_or_default());
        }
    }

    /// Outlook parts addresses by semicolons.
    pub(super) fn semicolon(&mut self, at: usize) {
        let detail = "a semicolon between addresses, read as a comma";
        self.add(Kind::SkippedText, at, 1, detail);
    }

    /// Whether `lexeme` ends `member`.
    pub(super) fn end(&mut self, member: &Member, lexeme: &Lexeme) -> Option<End> {
        match lexeme.class {
            Class::Special(b',') if !member.in_route => Some(End::Comma),
            Class::Special(b';') if self.in_group => Some(End::Semicolon),
            Class::Special(b';') => {
                self.semicolon(lexeme.start);
                Some(End::Comma)
            }
            // > group = display-name ":" [group-list] ";" [CFWS]
            Class::Special(b':') => {
                let is_name = member.open.is_none() && !member.has_at;
                (is_name && !self.in_group).then_some(End::Colon)
            }
            _ => None,
        }
    }

    /// Takes `lexeme` into `member`.
    ///
    /// > angle-addr = [CFWS] "<" addr-spec ">" [CFWS] / obs-angle-addr
    pub(super) fn take(&mut self, member: &mut Member, lexeme: Lexeme) {
        let in_angle = member.in_angle();
        match lexeme.class {
            Class::Special(b'<') if member.open.is_none() => {
                member.open = Some(member.lexemes.len());
                member.in_brackets = InBrackets::Nothing;
            }
            // What the first one stands before is no address: it is part of the name.
            Class::Special(b'<') if in_angle && member.in_brackets == InBrackets::Words => {
                if let Some(open) = member.open {
                    let first = member.lexemes.remove(open);
                    self.bracket_too_many(first.start);
                }
                member.open = Some(member.lexemes.len());
                member.in_brackets = InBrackets::Nothing;
            }
            Class::Special(b'>') if in_angle => {
                member.close = Some(member.lexemes.len());
            }
            Class::Special(b'<' | b'>') => {
                self.bracket_too_many(lexeme.start);
                return;
            }
            // > obs-route = obs-domain-list ":"
            Class::Special(b'@') => {
                member.has_at = true;
                member.in_route |= in_angle && member.in_brackets == InBrackets::Nothing;
                member.in_brackets = InBrackets::Address;
            }
            Class::Special(b':') => {
                member.in_route = false;
                member.in_brackets = InBrackets::Address;
            }
            _ if in_angle && lexeme.is_text() && member.in_brackets == InBrackets::Nothing => {
                member.in_brackets = InBrackets::Words;
            }
            _ => {}
        }
        member.has_text |= lexeme.is_text();
        if lexeme.is_text() {
            member.last = Some(lexeme.class);
        }
        member.lexemes.push(lexeme);
    }

    pub(super) fn bracket_too_many(&mut self, at: usize) {
        let detail = "an angle bracket too many";
        self.add(Kind::SkippedText, at, 1, detail);
    }

    /// Ends a member before the name of the next, where no comma does: in
    /// `a <a@example.org> b <b@example.org>`, which scripts that join with blanks write.
    pub(super) fn carry(&mut self, member: &mut Member, lexeme: Lexeme) {
        let behind = member.close.map_or(0, |close| close + 1);
        self.carried = member.lexemes.split_off(behind);
        let start = self
            .carried
            .first()
            .map_or(lexeme.start, |first| first.start);
        self.carried.push(lexeme);
        (member.end, member.after) = (End::Comma, start);
        self.add(
            Kind::SkippedText,
            start,
            0,
            "no comma between two addresses",
        );
    }

    pub(super) fn finish(&mut self, member: &Member, overflow: Option<usize>) {
        work(member.lexemes.len());
        let (start, end) = member.span();
        if member.in_angle() {
            let detail = "an address without its closing angle bracket";
            self.add(Kind::Unterminated, start, end - start, detail);
        }
        if let Some(at) = overflow {
            let detail = "an address of more than 4096 lexemes";
            self.add(
                Kind::LimitReached,
                at,
                member.after.saturating_sub(at),
                detail,
            );
        }
        let is_empty = start == end;
        let is_missing = match (self.previous, member.end) {
            // A comma may follow a group.
            (Some(End::Semicolon), _) | (_, End::Colon) => false,
            (_, End::Comma) | (Some(End::Comma), _) => is_empty,
            _ => false,
        };
        if is_missing {
            self.add(Kind::SkippedText, start, 0, NOTHING_BEFORE);
        }
        self.in_group = match member.end {
            End::Colon => true,
            End::Semicolon => false,
            End::Comma | End::Field => self.in_group,
        };
        self.previous = Some(member.end);
    }
}
