internal import Glibc
internal import Support

/// The socket of an app, which its supervisor holds: clients stay connected when a worker crashes.
///
/// A client, in this order:
/// 1. It connects, and is closed unless it is of the same user, or root.
/// 2. Its first line is its ``Request``. Until then it may be closed at any time in favor of others,
///    and is after some seconds.
/// 3. The status is sent, and the client closed. One that views the app gets its screens and, if it
///    has asked for control, sends lines, until it closes, is too slow, or the app ends.
///
/// What it is sent are JSON objects, one a line. Everything is of the supervisor's only thread, which
/// never waits for a client or for the worker.
package final class SocketServer {
  private enum Request: String {
    case status, attach, control
  }

  private final class Client {
    let connection: SocketConnection
    let number: Int
    let user: uid_t
    /// `nil` until its first line.
    var request: Request?
    /// When it is closed, or sent the status that is known; `nil` for never.
    var deadline: Int?

    init(_ connection: SocketConnection, number: Int, user: uid_t, deadline: Int) {
      (self.connection, self.number, self.user) = (connection, number, user)
      self.deadline = deadline
    }

    var isAttached: Bool { request == .attach || request == .control }
  }

  private static let clientLimit = 128
  /// How many messages the worker may have yet to answer when there is another line, or another client.
  private static let unansweredLimit = (line: 256, client: 512)
  /// How long a client may be silent after it has connected, and how long the app may take to tell its
  /// status, in nanoseconds.
  private static let patience = 5_000_000_000
  private static let statusPatience = 1_000_000_000

  private let path: SocketPath
  private let inode: ino_t?
  private let listener: Int32
  private let takesLines: Bool
  private let start = MonotonicTime.now()
  private var clients: [Client] = []
  private var lastNumber = 0
  private var worker: SocketConnection?
  private var workerID: pid_t = 0
  /// What the app has told last, as a JSON object; empty until then.
  private var workerStatus = ""
  private var unanswered = 0
  private var crashes = 0
  /// When connections are accepted again, after the system had no descriptor for one.
  private var pausedUntil = 0

  /// Opens a socket; call it before other threads exist.
  ///
  /// A client of the same user may send lines if it `takesLines`.
  ///
  /// - Throws: ``SocketError`` that says why it can't be opened.
  package init(path: String, takesLines: Bool) throws(SocketError) {
    self.path = try SocketPath(path)
    listener = try self.path.listen()
    inode = self.path.inode
    self.takesLines = takesLines
  }

  /// Creates the connection to a worker that is about to be forked; returns the worker's end.
  func connectWorker() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // What waits for a worker that does not read is bounded by the number of unanswered messages.
    worker = SocketConnection(ends[0], lineLimit: 64 << 20, outputLimit: .max)
    return ends[1]
  }

  /// Begins with a worker that was forked, which is asked what the one before has left unanswered.
  func begin(_ id: pid_t, closing end: Int32?) {
    if let end { _ = Glibc.close(end) }
    workerID = id
    for client in clients {
      if client.request == .status { ask(.status, client) }
      if client.isAttached { ask(.attach, client) }
    }
  }

  /// Closes what a worker has inherited.
  func release() {
    _ = Glibc.close(listener)
    worker?.close()
    for client in clients { client.connection.close() }
  }

  /// Tells those who view the app how the worker has ended.
  func didCrash(_ summary: String) {
    crashes += 1
    (worker, unanswered) = (nil, 0)
    sendToViews(Self.object("notice", .string(summary)))
  }

  /// Tells them that the app has ended, and removes the file if it is still that of this socket.
  func end() {
    sendToViews(Self.object("ended", true))
    release()
    if path.inode == inode { path.remove() }
  }

  /// Serves clients until a descriptor is readable, for `limit` nanoseconds at most.
  func serve(until signals: Int32, within limit: Int?) {
    let end = limit.map { MonotonicTime.now() + $0 }
    while true {
      let now = MonotonicTime.now()
      let isPaused = now < pausedUntil
      let polled = clients
      var entries = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isPaused ? -1 : listener, events: Int16(POLLIN), revents: 0),
        worker?.pollEntry ?? pollfd(fd: -1, events: 0, revents: 0),
      ]
      entries += polled.map(\.connection.pollEntry)
      let times = [end, isPaused ? pausedUntil : nil] + clients.map(\.deadline)
      let wait = times.compactMap(\.self).min().map {
        Int32(clamping: max(0, $0 - now) / 1_000_000 + 1)
      }
      guard poll(&entries, nfds_t(entries.count), wait ?? -1) >= 0 else { return }
      if entries[2].revents != 0 { hearWorker() }
      for (client, entry) in zip(polled, entries.dropFirst(3)) where entry.revents != 0 {
        client.connection.flush()
        if entry.revents != Int16(POLLOUT) { hear(client) }
      }
      if entries[1].revents != 0 { accept() }
      closeLate()
      if entries[0].revents != 0 { return }
      if let end, MonotonicTime.now() >= end { return }
    }
  }

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else {
      if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) {
        pausedUntil = MonotonicTime.now() + 1_000_000_000
      }
      return
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // The process, user and group of the other side.
    var peer: [UInt32] = [0, .max, .max]
    var size = socklen_t(12)
    getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)
    lastNumber += 1
    let client = Client(
      SocketConnection(descriptor), number: lastNumber, user: peer[1],
      deadline: MonotonicTime.now() + Self.patience)
    guard [geteuid(), 0].contains(client.user) else {
      return refuse(client, "only the user of the app, and root, may connect")
    }
    if clients.count >= Self.clientLimit {
      guard let silent = clients.first(where: { $0.request == nil }) else {
        return refuse(client, "the app has too many clients")
      }
      close(silent)
    }
    clients.append(client)
  }

  private func hear(_ client: Client) {
    for bytes in client.connection.receive() where client.connection.isOpen {
      guard let line = String(validating: bytes, as: UTF8.self) else {
        refuse(client, "a line has to be UTF-8")
        continue
      }
      switch client.request {
      case nil: begin(client, line)
      case .control?:
        if !ask(.line, client, line) { refuse(client, "the app does not carry out lines now") }
      case .status?, .attach?: refuse(client, "only a client in control may send lines")
      }
    }
    if !client.connection.isOpen { close(client) }
  }

  private func begin(_ client: Client, _ line: String) {
    guard let request = Request(rawValue: line) else {
      return refuse(client, "the first line has to be 'status', 'attach' or 'control'")
    }
    if request == .control, let reason = objection(to: client) { return refuse(client, reason) }
    client.request = request
    guard request != .status else {
      client.deadline = MonotonicTime.now() + Self.statusPatience
      ask(.status, client)
      return
    }
    client.deadline = nil
    if !ask(.attach, client) { refuse(client, "the app does not respond") }
  }

  /// Why a client may not send lines; `nil` if it may.
  private func objection(to client: Client) -> String? {
    if !takesLines { return "the app takes no lines: it was started without '--socket-control'" }
    if client.user != geteuid() { return "only the user of the app may send lines" }
    // The lines of two would be mixed where a text has several.
    return clients.contains { $0.request == .control } ? "another client sends lines already" : nil
  }

  /// Sends the worker what it has to answer; returns `false` if too much is unanswered.
  @discardableResult
  private func ask(_ verb: SocketMessage.Verb, _ client: Client, _ text: String = "") -> Bool {
    let limits = Self.unansweredLimit
    guard let worker, unanswered < (verb == .line ? limits.line : limits.client) else {
      return false
    }
    unanswered += 1
    worker.send(SocketMessage(verb, client: client.number, text).line)
    return true
  }

  private func hearWorker() {
    worker?.flush()
    for message in worker?.receive().compactMap({ SocketMessage($0) }) ?? [] {
      guard message.client > 0 else {
        if message.verb == .status {
          workerStatus = message.text
        } else {
          sendToViews(message.text)
        }
        continue
      }
      unanswered -= 1
      let client = clients.first { $0.number == message.client }
      if message.verb == .status {
        workerStatus = message.text
        if let client { answer(client, responds: true) }
      } else {
        client?.connection.send(message.text)
      }
    }
    if worker?.isOpen == false { worker = nil }
  }

  /// Sends a line to the clients that view the app.
  private func sendToViews(_ line: String) {
    for client in clients where client.isAttached { client.connection.send(line) }
  }

  /// Closes clients that are gone or have been silent for too long, and tells others the status that is
  /// known.
  private func closeLate() {
    let now = MonotonicTime.now()
    for client in clients {
      if client.request == .status, client.deadline.map({ now >= $0 }) == true {
        answer(client, responds: false)
      } else if !client.connection.isOpen || client.deadline.map({ now >= $0 }) == true {
        close(client)
      }
    }
  }

  private func refuse(_ client: Client, _ reason: String) {
    client.connection.send(Self.object("refused", .string(reason)))
    close(client)
  }

  private func close(_ client: Client) {
    client.connection.close()
    guard let index = clients.firstIndex(where: { $0 === client }) else { return }
    clients.remove(at: index)
    if client.isAttached { worker?.send(SocketMessage(.detach, client: client.number).line) }
  }

  /// Sends the status that the app has told last, with what is known of its process.
  private func answer(_ client: Client, responds: Bool) {
    let own: JSONTree = [
      "format": 1, "responds": .bool(responds), "process": .int(Int(workerID)),
      "uptime": .int((MonotonicTime.now() - start) / 1_000_000_000),
      "memory": .int(WorkerWatch.residentMemory(of: workerID)), "crashes": .int(crashes),
    ]
    let rest = workerStatus.isEmpty ? "}" : "," + workerStatus.dropFirst()
    client.connection.send(Self.object("status", .raw("\(own.line.dropLast())\(rest)")))
    close(client)
  }

  private static func object(_ name: String, _ value: JSONTree) -> String {
    JSONTree.object([(name, value)]).line
  }
}
