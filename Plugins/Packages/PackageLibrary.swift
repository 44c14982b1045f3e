internal import AppCore
internal import Synchronization

/// The plugin's package database, which is read once, shared by all instances, and not in a state.
final class PackageLibrary: Sendable {
  private struct Content {
    var loading: Task<Result<PackageDatabase, DatabaseError>, Never>?
    var result: Result<PackageDatabase, DatabaseError>?
    /// The matches of the latest filter, cached because every drawing of a screen needs them.
    var latestMatches: (filter: String, sort: TableSort?, indices: [Int32])?
  }

  /// The path of the status file.
  let path: String
  private let content = Mutex(Content())

  init(path: String) { self.path = path }

  /// The database; `nil` if it has not been read, or can't be.
  var database: PackageDatabase? { try? content.withLock { $0.result }?.get() }

  /// Why the database can't be read; `nil` if no reading has failed.
  var failure: DatabaseError? {
    guard case .failure(let error) = content.withLock({ $0.result }) else { return nil }
    return error
  }

  /// Reads the database; all instances share one reading.
  ///
  /// - Parameter progress: called from another thread; only the first caller's closure is used.
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

  /// Discards the result, so that the file is read again after a failure.
  func forget() {
    content.withLock { $0 = Content() }
  }

  /// The indices of the packages that match a filter, sorted by a column unless that is `nil`.
  func matches(_ filter: String, sort: TableSort?) -> [Int32] {
    guard let database else { return [] }
    let known = content.withLock { $0.latestMatches }
    if let known, known.filter == filter, known.sort == sort { return known.indices }
    var indices = database.matches(filter)
    if let sort, let column = PackageColumn(rawValue: sort.column) {
      indices = database.sorted(indices, by: column, isDescending: sort.isDescending)
    }
    content.withLock { $0.latestMatches = (filter, sort, indices) }
    return indices
  }
}
