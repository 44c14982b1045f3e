internal import Support

/// Checks the tables of symbol versions, which the loader follows without checking bounds.
struct ELFVersions {
  let bytes: ELFBytes
  let segments: ELFSegments
  let dynamic: ELFDynamic
  let symbols: ELFSymbolTable

  /// Checks the tables.
  ///
  /// - Returns: the versions that are needed, by the library that has them.
  func check(needed: [String]) throws(Rejection) -> [String: [String]] {
    typealias Tag = ELFConstants.Tag
    var versions: [String: [String]] = [:]
    var highest: UInt16 = 1
    var areVersionsKnown = false
    if let address = dynamic[Tag.versionNeeds] {
      areVersionsKnown = true
      highest = max(highest, try checkNeeds(address, needed, &versions))
    }
    if let address = dynamic[Tag.versionDefinitions] {
      areVersionsKnown = true
      highest = max(highest, try checkDefinitions(address))
    }
    guard let address = dynamic[Tag.versions] else { return versions }
    let table = try segments.offset(of: 2 * symbols.count, at: address, .versionTable)
    for index in 0..<symbols.count {
      let position = table + 2 * index
      let version = try bytes.u16(position, .versionTable) & 0x7fff
      // The loader indexes an array of the versions it has seen; without those tables it has none.
      guard version <= highest, areVersionsKnown else {
        throw .malformed(
          .versionTable, at: position, expected: "a version up to \(highest)", found: version)
      }
    }
    return versions
  }

  private func count(_ entries: inout Int, at position: UInt64) throws(Rejection) {
    entries += 1
    guard entries <= ELFConstants.Limit.versions else {
      throw .malformed(
        .versionTable, at: position,
        expected: "\(ELFConstants.Limit.versions) entries at most", found: "more")
    }
  }

  private func checkNeeds(
    _ address: UInt64, _ needed: [String], _ versions: inout [String: [String]]
  ) throws(Rejection) -> UInt16 {
    var highest: UInt16 = 0
    var entries = 0
    var address = address
    while true {
      let entry = try segments.offset(of: 16, at: address, .versionTable)
      try count(&entries, at: entry)
      let file = UInt64(try bytes.u32(entry + 4, .versionTable))
      let name = try symbols.string(at: file, for: .versionTable, at: entry)
      // The loader asserts that the library is loaded.
      guard needed.contains(where: { $0.utf8.elementsEqual(name) }) else {
        throw .malformed(
          .versionTable, at: entry, expected: "a library that is needed",
          found: "'\(String(decoding: name, as: UTF8.self))'")
      }
      var auxiliary = try following(address, try bytes.u32(entry + 8, .versionTable), at: entry)
      while true {
        let offset = try segments.offset(of: 16, at: auxiliary, .versionTable)
        try count(&entries, at: offset)
        highest = max(highest, try bytes.u16(offset + 6, .versionTable) & 0x7fff)
        let version = UInt64(try bytes.u32(offset + 8, .versionTable))
        let text = try symbols.string(at: version, for: .versionTable, at: offset)
        versions[String(decoding: name, as: UTF8.self), default: []]
          .append(String(decoding: text, as: UTF8.self))
        let next = try bytes.u32(offset + 12, .versionTable)
        if next == 0 { break }
        auxiliary = try following(auxiliary, next, at: offset)
      }
      let next = try bytes.u32(entry + 12, .versionTable)
      if next == 0 { return highest }
      address = try following(address, next, at: entry)
    }
  }

  private func checkDefinitions(_ address: UInt64) throws(Rejection) -> UInt16 {
    var highest: UInt16 = 0
    var entries = 0
    var address = address
    while true {
      let entry = try segments.offset(of: 20, at: address, .versionTable)
      try count(&entries, at: entry)
      highest = max(highest, try bytes.u16(entry + 4, .versionTable) & 0x7fff)
      let auxiliary = try following(address, try bytes.u32(entry + 12, .versionTable), at: entry)
      let offset = try segments.offset(of: 8, at: auxiliary, .versionTable)
      let name = UInt64(try bytes.u32(offset, .versionTable))
      _ = try symbols.string(at: name, for: .versionTable, at: offset)
      let next = try bytes.u32(entry + 16, .versionTable)
      if next == 0 { return highest }
      address = try following(address, next, at: entry)
    }
  }

  /// The address that a link leads to; links lead forward, so that a walk ends with the file.
  private func following(
    _ address: UInt64, _ distance: UInt32, at position: UInt64
  ) throws(Rejection) -> UInt64 {
    guard distance > 0 else {
      throw .malformed(
        .versionTable, at: position, expected: "a link to an entry", found: distance)
    }
    return address + UInt64(distance)
  }
}
