internal import Foundation
package import Glibc

/// What a service manager has for its services: a socket to which they say how they are.
package final class NotifySocket {
  /// The value of `NOTIFY_SOCKET`: a name in the abstract namespace, which no path makes too long.
  package let name = "@appcore-test-\(getpid())-\(UInt64.random(in: 0 ..< .max))"
  private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

  package init() {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = [0] + Array(name.utf8.dropFirst())
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = MemoryLayout<sa_family_t>.size + bytes.count
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(size)) }
    }
    precondition(result == 0, "the socket can't be bound")
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &isOn, 4)
  }

  deinit { close(descriptor) }

  /// The next message of a process; those of others are skipped, as by a service manager.
  ///
  /// Blocks the thread.
  ///
  /// - Returns: the message; `nil` if none comes for a while.
  package func next(from process: pid_t, within seconds: Double = 60) -> String? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, Int32(seconds * 1000)) > 0 {
      var (text, control) = ([UInt8](repeating: 0, count: 512), [UInt64](repeating: 0, count: 16))
      let (count, sender) = text.withUnsafeMutableBytes { text in
        control.withUnsafeMutableBytes { control in
          var part = iovec(iov_base: text.baseAddress, iov_len: text.count)
          return withUnsafeMutablePointer(to: &part) { part in
            var header = msghdr()
            (header.msg_iov, header.msg_iovlen) = (part, 1)
            (header.msg_control, header.msg_controllen) = (control.baseAddress, control.count)
            let count = recvmsg(descriptor, &header, 0)
            // The credentials follow the header of the control message.
            return (count, control.load(fromByteOffset: MemoryLayout<cmsghdr>.size, as: pid_t.self))
          }
        }
      }
      if count > 0, sender == process { return String(decoding: text[..<count], as: UTF8.self) }
    }
    return nil
  }
}
