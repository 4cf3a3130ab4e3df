// Ten ways in which mail goes wrong, each a message from corpus/mail with its story.
export const samples = [
  { file: 'hand-unicode-1-1-utf-8-korean.eml', title: 'Hangul before it moved', story: [
    'In 1996 Unicode moved all 6,656 Hangul syllables to new code points.',
    'Korean mail from before then is valid UTF-8, and shows as rare Chinese characters.',
    'The label UNICODE-1-1-UTF-8 and the octets identify it, so the Korean text is restored.'] },
  { file: 'hand-label-iso-8859-1-is-utf-8.eml', title: 'The label lies', story: [
    'The label says ISO-8859-1. The octets are well-formed UTF-8, which is no coincidence.'] },
  { file: 'hand-header-raw-euc-kr.eml', title: 'A subject without a label', story: [
    'The subject has raw octets, which no standard allows. They are decoded in the charset of the body.'] },
  { file: 'nmh-euc-kr-words-split-inside-hangul.eml', title: 'Words cut in a character', story: [
    'The program cut its encoded words between the two octets of a syllable. Joined before decoding, nothing is lost.'] },
  { file: 'hand-filename-raw-utf-8.eml', title: 'A raw file name', story: [
    'The name of the attachment is raw UTF-8 in quotes, and is decoded anyway.'] },
  { file: 'hand-html-meta-contradicts-parameter.eml', title: 'Two labels disagree', story: [
    'A gateway changed the charset of this page and left its meta element. The outer label wins.'] },
  { file: 'hand-label-x-unknown-is-iso-2022-jp.eml', title: 'A label for nothing', story: [
    'The label says x-unknown. Its escapes show that this is Japanese.'] },
  { file: 'hand-base64-dirty.eml', title: 'Dirt in base64', story: [
    'Quote marks, stars and blanks got into the base64, and its padding is lost. The text is complete.'] },
  { file: 'hand-iso-2022-jp-missing-escape-back.eml', title: 'The forgotten escape', story: [
    'A line forgets to switch back from Japanese to ASCII, and another switches twice.'] },
  { file: 'hand-label-utf-8-is-windows-1252.eml', title: 'Not UTF-8 after all', story: [
    'The label says UTF-8. The octets are not, but are plausible windows-1252.'] },
];
