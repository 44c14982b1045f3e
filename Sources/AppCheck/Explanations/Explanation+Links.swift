// Why a link or a position is not opened, by `:open` or `--open`; nothing changes then.
extension Explanation {
  static let linkEntries: [Entry] = [
    (
      "unknown-link", "The manifest has no link of this shape.",
      "Take the one that is suggested; Tab completes links, and `appcore graph` lists them."
    ),
    (
      "missing-parameter", "The address ends before all parameters of the link are given.",
      "Add what the message names: a parameter of the path as a part of it, another behind the `?`."
    ),
    (
      "unknown-parameter", "The link has no parameter of that name behind its `?`.",
      "Take the one that is suggested, or leave it out."
    ),
    (
      "duplicate-parameter", "A parameter stands twice behind the `?`, and only one can count.",
      "Leave one of them out."
    ),
    (
      "bad-link",
      "The address can't be read: a `%` is not followed by two hexadecimal digits of a text in "
        + "UTF-8, or there is a `#`.",
      "Write `%25` for a literal `%` and `%23` for a literal `#`."
    ),
    (
      "bad-position",
      "A part of a position can't be read, or names what is not there. The message has the column.",
      "Correct that part; `:path --full` prints positions that can be opened."
    ),
  ]
}
