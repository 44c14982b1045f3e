/// A message between the process that holds a socket and the one that runs the app.
///
/// It is a line: a word, the number of a client, and a text, which has no newline.
package struct SocketMessage: Sendable {
  package enum Verb: String, Sendable {
    /// To the app: a client views it, which is answered by a screen, or does so no longer.
    case attach, detach
    /// To the app: a line to carry out. From it: the answer, after the screen.
    case line, answer
    /// To the app: a question; from it the answer, or without a client what is known at the start.
    case status
    /// From the app: a screen for one client, or for all without one.
    case screen
  }

  package let verb: Verb
  /// The number of the client, from 1; 0 for none.
  package let client: Int
  package let text: String

  package init(_ verb: Verb, client: Int = 0, _ text: String = "") {
    (self.verb, self.client, self.text) = (verb, client, text)
  }

  /// Reads a line; `nil` if it is damaged.
  init?(_ line: [UInt8]) {
    let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, let verb = Verb(rawValue: parts[0]), let client = Int(parts[1]) else {
      return nil
    }
    self.init(verb, client: client, parts[2])
  }

  var line: String { "\(verb.rawValue) \(client) \(text)" }
}
