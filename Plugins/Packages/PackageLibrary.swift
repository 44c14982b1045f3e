internal import Synchronization

/// The plugin's one package database: read once, shared by all instances, never part of a state.
final class PackageLibrary: Sendable {
  private struct Content {
    var loading: Task<Result<PackageDatabase, DatabaseError>, Never>?
    var result: Result<PackageDatabase, DatabaseError>?
    /// The answer to the latest filter: a screen asks again whenever it is drawn.
    var latestMatches: (filter: String, indices: [Int32])?
  }

  /// The status file.
  let path: String
  private let content = Mutex(Content())

  init(path: String) { self.path = path }

  /// The database; `nil` while it was not read, or can't be.
  var database: PackageDatabase? { try? content.withLock { $0.result }?.get() }

  /// Why the database can't be read; `nil` while nothing went wrong.
  var failure: DatabaseError? {
    guard case .failure(let error) = content.withLock({ $0.result }) else { return nil }
    return error
  }

  /// Reads the database, once, however many instances ask for it.
  ///
  /// - Parameter progress: called from another thread; only the first caller's is.
  func load(progress: @escaping @Sendable (LoadProgress) -> Void) async {
    let task = content.withLock { content in
      if let loading = content.loading { return loading }
      let task = Task { [path] in
        do throws(DatabaseError) {
          return Result<PackageDatabase, DatabaseError>.success(
            try await PackageDatabase.load(path: path, progress: progress))
        } catch {
          return .failure(error)
        }
      }
      content.loading = task
      return task
    }
    let result = await task.value
    content.withLock { $0.result = result }
  }

  /// Forgets a failure, so that the file is read again.
  func forget() {
    content.withLock { $0 = Content() }
  }

  /// The packages that match a filter, by their index in the database.
  func matches(_ filter: String) -> [Int32] {
    guard let database else { return [] }
    let known = content.withLock { $0.latestMatches }
    if let known, known.filter == filter { return known.indices }
    let indices = database.matches(filter)
    content.withLock { $0.latestMatches = (filter, indices) }
    return indices
  }
}
