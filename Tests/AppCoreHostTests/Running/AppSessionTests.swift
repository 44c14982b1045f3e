import Dispatch
import Sessions
import Support
import TestSupport
import Testing

@testable import AppCoreHost

@Suite("The session of an app", .ownThread)
struct AppSessionTests {
  @Test("Of changes on several threads the last one is the one that is kept")
  func order() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.session"
    let session = AppSession(nil, file: path) { Issue.record("it is not kept: \($0)") }
    session.write(SessionImage(identity: SessionIdentity(app: "a")).whole)
    for round in 1...200 {
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        session.update { $0.line = "\((Int($0.line) ?? 0) + 1)" }
      }
      session.file?.flush()
      let saved = try SavedSession.read(path, app: "a", isShared: true)
      #expect(saved?.image.conversation.line == "\(round * 4)")
    }
  }
}
