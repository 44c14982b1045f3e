/// A column of the list of packages; the raw value is its title.
enum PackageColumn: String, CaseIterable {
  case name = "Package"
  case version = "Version"
  case description = "Description"
}

extension Package {
  /// The text in a column.
  func text(_ column: PackageColumn) -> String {
    switch column {
    case .name: label
    case .version: isInstalled ? version : state.word
    case .description: summary
    }
  }
}

extension PackageDatabase {
  /// Packages in the order of a column; those that are equal there stay in the order of packages.
  ///
  /// Versions are compared as dpkg does; packages that are not installed follow those that are.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of packages.
  func sorted(_ indices: [Int32], by column: PackageColumn, isDescending: Bool) -> [Int32] {
    let ordered = indices.sorted()
    guard column != .name else { return isDescending ? ordered.reversed() : ordered }
    let keys = ordered.map { index in
      self.package(at: index).map { package in
        let text = package.text(column)
        return (isLast: !package.isInstalled, text: column == .version ? text : text.lowercased())
      } ?? (isLast: true, text: "")
    }
    func compare(_ left: Int, _ right: Int) -> Int {
      let (left, right) = (keys[left], keys[right])
      guard column == .version else {
        return left.text == right.text ? 0 : left.text < right.text ? -1 : 1
      }
      if left.isLast != right.isLast { return left.isLast ? 1 : -1 }
      return DebianVersion.compare(left.text, right.text)
    }
    return ordered.indices.sorted { left, right in
      let order = compare(left, right)
      return order == 0 ? left < right : (order < 0) != isDescending
    }.map { ordered[$0] }
  }
}
