extension RandomAccessCollection {
  /// The index of the first element that belongs to the second part, where every element of the
  /// first part comes before those of the second; the end if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  @inlinable
  package func partitioningIndex(where belongsInSecondPart: (Element) -> Bool) -> Index {
    var start = startIndex
    var count = count
    while count > 0 {
      let middle = index(start, offsetBy: count / 2)
      if belongsInSecondPart(self[middle]) {
        count /= 2
      } else {
        start = index(after: middle)
        count -= count / 2 + 1
      }
    }
    return start
  }
}
