internal import Synchronization

/// A shared value's place in a file: all of it, or the part under some keys.
final class SharedDocument: Sendable {
  typealias Encode = @Sendable () throws -> Value?
  /// Decodes a value, and returns a closure that delivers it.
  typealias Take = @Sendable (Value) throws -> @Sendable () -> Void
  let file: SharedFile
  let keys: [String]
  private let coding = Mutex<(encode: Encode, take: Take)?>(nil)

  init(_ file: SharedFile, at keys: [String]) {
    self.file = file
    self.keys = keys
  }

  /// Reads the value from the file, and observes the file from now on.
  func begin(encode: @escaping Encode, take: @escaping Take) {
    coding.withLock { $0 = (encode, take) }
    file.add(self)
  }

  func encode() throws -> Value? { try coding.withLock { $0?.encode }?() }
  func take(_ value: Value) throws -> @Sendable () -> Void {
    try coding.withLock { $0?.take }?(value) ?? {}
  }

  /// Makes this the document that gets the file's changes.
  func follow() { file.follow(self) }

  func valueDidChange(_ owner: any AnyObject & Sendable) { file.valueDidChange(self, owner) }
  func save() throws(SharedError) { try file.save(self) }
  var error: SharedError? { file.error(of: self) }
}
