# Generates man pages (section 3) from the comments of mime_charset.h: one per function, and an overview:
#
#     awk -v version=0.1.0 -v folder=man3 -f pages.awk mime_charset.h

# The first comment describes the whole header.
NR == 1 {
  sub(/^\/\* mime_charset\.h: /, "")
  summary = $0
  sub(/\..*/, "", summary)
  in_preamble = 1
  next
}
in_preamble {
  if ($0 ~ /^ \*\/$/) in_preamble = 0
  else preamble = preamble line_of($0)
  next
}

# A comment, which describes the next declaration.
/^ *\/\*\*$/ { in_comment = 1; comment = ""; next }
in_comment && /^ *\*\/$/ { in_comment = 0; next }
in_comment { comment = comment line_of($0); next }

/^#define [A-Z_0-9]+ [0-9]+$/ { constants[++constant_count] = $2; about[$2] = comment; comment = ""; next }
/^typedef struct [a-z_0-9]+ [a-z_0-9]+;$/ {
  name = $3; types[++type_count] = name; is_opaque[name] = 1; about[name] = comment; comment = ""; next
}
/^typedef struct [a-z_0-9]+ \{$/ { structure = $3; types[++type_count] = structure; about[structure] = comment; next }
/^}/ { structure = ""; next }
structure != "" {
  member = tidy($0)
  members[structure, ++member_count[structure]] = member
  about[structure, member] = comment
  next
}
comment != "" && /[a-z]/ { prototype = prototype " " $0 }
prototype != "" && /;$/ {
  prototype = tidy(prototype)
  name = prototype
  sub(/\(.*/, "", name)
  sub(/.*[ *]/, "", name)
  functions[++count] = name
  prototypes[name] = prototype
  about[name] = comment
  prototype = comment = ""
}

END {
  for (at = 1; at <= count; at++) {
    page = folder "/" functions[at] ".3"
    function_page(functions[at])
    close(page)
  }
  page = folder "/mime_charset.3"
  overview()
}

# The text of a comment line; an empty line ends a paragraph.
function line_of(line) {
  sub(/^ *\* ?/, "", line)
  return line == "" ? "\n\n" : line " "
}

# A C declaration on one line, without `struct`.
function tidy(code) {
  gsub(/struct /, "", code)
  gsub(/ +/, " ", code)
  sub(/^ /, "", code)
  return code
}

function out(line) { print line > page }

# Text for roff: text in backquotes is a function, constant or type, or else an argument.
function roff(text, made, word) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  made = ""
  while (match(text, /`[^`]*`/)) {
    word = substr(text, RSTART + 1, RLENGTH - 2)
    made = made substr(text, 1, RSTART - 1) marked(word)
    text = substr(text, RSTART + RLENGTH)
  }
  text = made text
  gsub(/^ +| +$/, "", text)
  return text
}

function marked(word) {
  if (word in prototypes) return reference(word)
  if (word ~ /^MIME_CHARSET|^mime_charset|^SIZE_MAX|^sizeof/) return "\\fB" word "\\fP"
  return "\\fI" word "\\fP"
}

function reference(name) { return "\\fB" name "\\fP(3)" }

function paragraph(text) {
  text = roff(text)
  if (text ~ /^[.']/) text = "\\&" text
  if (text != "") out(text)
}

function paragraphs(text, pieces, total, at) {
  sub(/^[ \n]+/, "", text)
  total = split(text, pieces, "\n\n")
  for (at = 1; at <= total; at++) {
    if (at > 1 && pieces[at] ~ /[^ ]/) out(".PP")
    paragraph(pieces[at])
  }
}

# Splits a comment into the description and the requirements for the caller.
function description(name, text) {
  text = about[name]
  sub(/Requires: .*/, "", text)
  return text
}

function requirements(name, text) {
  text = about[name]
  return sub(/.*Requires: /, "", text) ? text : ""
}

# The first clause, for the NAME section.
function brief(name, text) {
  text = description(name)
  if (match(text, /[.;:] | \(/)) text = substr(text, 1, RSTART - 1)
  gsub(/`/, "", text)
  text = roff(text)
  return tolower(substr(text, 1, 1)) substr(text, 2)
}

function heading(name) {
  out(".TH " toupper(name) " 3 \"\" \"mime_charset " version "\" \"Library Functions Manual\"")
}

# Puts each argument on its own line if they do not fit on one.
function synopsis(prototype, start, list, pieces, piece, total, at, line, indent) {
  start = prototype
  sub(/\(.*/, "(", start)
  list = substr(prototype, length(start) + 1)
  total = split(list, pieces, ", ")
  line = start
  indent = sprintf("%" length(start) "s", "")
  if (length(start) > 40) indent = "        "
  out(".nf")
  for (at = 1; at <= total; at++) {
    piece = pieces[at] (at < total ? "," : "")
    if (length(line) + length(piece) > 76) {
      out("\\fB" line "\\fP")
      line = indent
    }
    line = line (line ~ /[( ]$/ ? "" : " ") piece
  }
  out("\\fB" line "\\fP")
  out(".fi")
}

function function_page(name, prototype, result) {
  prototype = prototypes[name]
  result = prototype
  sub(/ ?[a-z_0-9]*\(.*/, "", result)
  heading(name)
  out(".SH NAME")
  out(name " \\- " brief(name))
  out(".SH SYNOPSIS")
  out("\\fB#include <mime_charset.h>\\fP")
  out(".PP")
  synopsis(prototype)
  out(".SH DESCRIPTION")
  paragraphs(description(name))
  structures(prototype)
  if (requirements(name) != "") {
    out(".SH REQUIREMENTS")
    out("The behavior is undefined unless this holds:")
    paragraph(requirements(name))
  }
  ownership(name, prototype, result)
  out(".SH \"RETURN VALUE\"")
  if (result == "int32_t") statuses(name)
  else returned(name, prototype, result)
  out(".SH \"THREAD SAFETY\"")
  if (prototype ~ /mime_charset_decoder \*[a-z]/) out("One thread at a time may use a decoder.")
  if (name ~ /_free$/) out("No thread may use the handle while it is freed, or later.")
  else if (prototype !~ /mime_charset_decoder \*[a-z]/) out("Any threads may call it at once, also with the same handles.")
  out(".SH \"SEE ALSO\"")
  see_also(name, prototype)
}

# The structures used in a prototype, with their members.
function structures(prototype, at, name, place) {
  for (at = 1; at <= type_count; at++) {
    name = types[at]
    if (is_opaque[name] || prototype !~ ("(^|[ (])" name " ")) continue
    out(".SS " name)
    paragraphs(about[name])
    for (place = 1; place <= member_count[name]; place++) {
      out(".TP")
      out("\\fB" members[name, place] "\\fP")
      paragraph(about[name, members[name, place]])
    }
  }
}

# The handle that is made, what belongs to what, and what is kept of the arguments.
function ownership(name, prototype, result, said, at, type, text, owner) {
  text = description(name)
  for (at = 1; at <= type_count; at++) {
    type = types[at]
    if (prototype ~ (" " type " \\*\\*out"))
      said = said "Where it succeeds, `*out` is a new `" type "`, which is the caller's. " sentence(about[type], "Freed with ")
    else if (result == "const " type " *") said = said about[type]
    else if (!is_opaque[type] && prototype ~ (" " type " \\*out"))
      said = said "`*out` is the caller's own. " sentence(about[type], "Its strings belong ")
  }
  owner = sentence(text, "Belongs? to ")
  sub(/^Belongs?/, "What is returned belongs", owner)
  said = said owner
  if (text ~ /; static\./) said = said "What is returned is static: it is never freed. "
  if (prototype ~ /\(.*const (uint8_t|char) \*/ && text !~ /without copying/)
    said = said "The octets that are handed over are not needed after the call. "
  if (name ~ /_free$/) said = said "What belongs to the handle is freed with it. "
  if (said == "") return
  out(".SH OWNERSHIP")
  paragraphs(said)
}

# The sentence of a text that begins so, or up to a semicolon; empty where there is none.
function sentence(text, start) {
  if (!match(text, start "[^.;]*[.;]")) return ""
  text = substr(text, RSTART, RLENGTH)
  sub(/;$/, ".", text)
  return text " "
}

function statuses(name, at, constant) {
  for (at = 1; at <= constant_count; at++) {
    constant = constants[at]
    if (constant ~ /_(SHOW|HANGUL)_/) continue
    # Two of them are told by those functions alone that say so.
    if (constant ~ /_(NONE|FULL)$/ && about[name] !~ constant) continue
    out(".TP")
    out("\\fB" constant "\\fP")
    paragraph(about[constant])
  }
}

# Of a function that has no status.
function returned(name, prototype, result, nothing) {
  if (result == "void") { out("None."); return }
  nothing = "\\fB0\\fP"
  if (about[name] ~ /SIZE_MAX/) nothing = "\\fBSIZE_MAX\\fP"
  else if (result == "bool") nothing = "\\fBfalse\\fP"
  else if (result ~ /\*/) nothing = "\\fBNULL\\fP"
  else if (result ~ /(utf8|octets)$/) nothing = "\\fIdata\\fP is \\fBNULL\\fP"
  out("As described.")
  if (prototype ~ /\(const mime_charset_[a-z]+ \*[a-z]/) out("For a handle that is NULL, and where the library fails: " nothing ".")
}

# The word behind mime_charset_, which functions share that are about the same.
function family(name) {
  sub(/^mime_charset_/, "", name)
  sub(/_.*/, "", name)
  return name
}

function see_also(name, prototype, at, other, line) {
  line = reference("mime_charset")
  for (at = 1; at <= count; at++) {
    other = functions[at]
    if (other == name) continue
    if (family(other) == family(name) || (other ~ /_free$/ && prototype ~ (" mime_charset_" family(other) " \\*\\*out"))) {
      out(line ",")
      line = reference(other)
    }
  }
  out(line)
}

function overview(at, other, first) {
  heading("mime_charset")
  out(".SH NAME")
  out("mime_charset \\- " summary)
  out(".SH SYNOPSIS")
  out("\\fB#include <mime_charset.h>\\fP")
  out(".PP")
  out("cc \\fIprogram\\fP.c $(pkg\\-config \\-\\-cflags \\-\\-libs mime_charset)")
  out(".SH DESCRIPTION")
  paragraphs(preamble)
  out(".SH FUNCTIONS")
  for (at = 1; at <= count; at++) {
    # Those of a family stand together, where its first one does.
    first = family(functions[at])
    if (first in listed) continue
    listed[first] = 1
    for (other = at; other <= count; other++) {
      if (family(functions[other]) != first) continue
      out(".TP")
      out(reference(functions[other]))
      out(brief(functions[other]))
    }
  }
  out(".SH TYPES")
  for (at = 1; at <= type_count; at++) {
    out(".TP")
    out("\\fB" types[at] "\\fP")
    paragraph(about[types[at]])
  }
  out(".SH CONSTANTS")
  for (at = 1; at <= constant_count; at++) {
    out(".TP")
    out("\\fB" constants[at] "\\fP")
    paragraph(about[constants[at]])
  }
  out(".SH \"SEE ALSO\"")
  out("\\fBiconv\\fP(3), \\fBpkg\\-config\\fP(1)")
}
