import AppCore
import Glibc
import Testing

@Home
@Suite("FileSystem: of the SDK alone")
struct FileSystemValueTests {
  @Test("Without a host there are no files, and the report says what to do")
  func noHost() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(7), observing: [\.standardErrorContent]
    ) {
      do throws(FileError) {
        _ = try await DependencyValues().fileSystem.read("/etc/hosts")
      } catch {
        exit(error.description == "can't read '/etc/hosts': Function not implemented" ? 7 : 1)
      }
    }
    let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(errors.contains("'/etc/hosts', and no host gives this process the machine's files"))
    #expect(errors.contains("set '\\.fileSystem', as with 'FileSystem.inMemory()'"))
  }

  @Test("It leaves the store's thread")
  func thread() async throws {
    let reports = Log()
    let store = notingStore { action in
      guard action == .go else { return .none }
      return .run { send in
        let files = FileSystem.inMemory(["/folder/file": ""])
        async let listed = files.list("/folder")
        reports.add(threadName())
        _ = try await listed
        await send(.stop)
      }
    }
    await store.send(.go).finish()
    #expect(store.state == [.go, .stop])
    #expect(reports.lines == [Home.threadName])
  }
}
