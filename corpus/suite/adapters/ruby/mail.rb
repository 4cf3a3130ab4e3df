# Answers the cases with the gem `mail` (https://github.com/mikel/mail), called as its README and the comments in its
# source say.
#
# A message is given to `Mail.new` as octets, as `Mail.read` gives it. A field that the gem cannot parse becomes a field
# without structure, so it says: such a field has no date, no addresses, no identifiers and no parameters.

require "json"
require "mail"

ASKS = ["field", "addresses", "groups", "date", "zone", "identifiers", "fields", "structure", "parameter", "file name",
        "octets", "text"]

class NotOffered < StandardError
end

# The gem gives a list where a field occurs more than once, and nil where it does not occur.
def first_field(message, name)
  Array(message[name]).first
end

def mailbox(address)
  { "name" => address.name, "address" => address.address }
end

def addresses(field)
  field.respond_to?(:addrs) ? field.addrs : []
end

# The gem lists the names of all groups, and for each mailbox its group. It does not say where an empty group stands
# among mailboxes.
def groups(field)
  return [] unless field.respond_to?(:group_names)
  return field.group_names.map { |name| { "group" => name, "addresses" => [] } } if field.addrs.empty?
  neighbours = field.addrs.chunk_while { |one, next_one| one.group == next_one.group }
  neighbours.map { |list| { "group" => list.first.group, "addresses" => list.map { |each| mailbox(each) } } }
end

# `Mail::Field::ParseError` is how the gem says that a field is not what its name promises.
def date(message)
  date = message.date
  date if date.is_a?(DateTime)
rescue Mail::Field::ParseError
  nil
end

def identifiers(field)
  return [field.content_id] if field.respond_to?(:content_id)
  (field.message_ids if field.respond_to?(:message_ids)) || []
end

def structure(part)
  part.multipart? ? [part.mime_type, *part.parts.map { |each| structure(each) }] : part.mime_type
end

# The gem leaves the message in a message to its user, who reads it with `Mail.new`.
def find_part(message, numbers)
  number, *rest = numbers
  part = message.multipart? ? message.parts[number - 1] : (message if number == 1)
  raise "there is no such part" unless part
  return part if rest.empty?
  return find_part(part, rest) if part.multipart?
  raise "there is no such part" unless ["message/rfc822", "message/global"].include?(part.mime_type)
  find_part(Mail.new(part.body.decoded), rest)
end

def answer(question)
  raise NotOffered, "the gem does not read mailboxes" if question["message"]
  message = Mail.new(question["base64"].unpack1("m"))
  field = first_field(message, question["field"]) if question["field"]
  part = find_part(message, question["part"].split(".").map(&:to_i)) if question["part"]
  case question["ask"]
  when "field" then field && field.to_s
  when "addresses" then addresses(field).map { |each| mailbox(each) }
  when "groups" then groups(field)
  when "date" then date(message)&.strftime("%s")&.to_i
  when "zone" then (date(message)&.offset&.*(24 * 60))&.to_i
  when "identifiers" then identifiers(field)
  when "fields" then message.header_fields.map(&:name)
  when "structure" then structure(message)
  when "parameter"
    field = first_field(part, question["field"])
    field.parameters[question["parameter"]] if field.respond_to?(:parameters)
  when "file name" then part.filename
  when "octets" then [part.body.decoded].pack("m0")
  when "text" then part.decoded
  else raise NotOffered, "the gem has no call for this"
  end
end

def write(object)
  $stdout.puts(JSON.generate(object, max_nesting: 0))
  $stdout.flush
end

$stdin.set_encoding(Encoding::UTF_8)
write("name" => "Ruby mail", "version" => Mail::VERSION.version, "asks" => ASKS)
$stdin.each_line do |line|
  question = JSON.parse(line)
  begin
    write("id" => question["id"], "answer" => answer(question))
  rescue NotOffered => reason
    write("id" => question["id"], "not offered" => reason.message)
  rescue JSON::GeneratorError
    write("id" => question["id"], "error" => "the gem gives octets that are not UTF-8 where text is asked")
  rescue StandardError, SystemStackError => error
    write("id" => question["id"], "error" => "#{error.class}: #{error.message}".scrub)
  end
end
