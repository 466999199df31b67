internal import CProcess

/// The memory of the program itself.
public enum OwnMemory {
  /// Lets every block of 1 MiB or more go back to the system as soon as it is freed.
  ///
  /// By itself malloc of the GNU C library stops doing so for blocks as large as the largest that
  /// was freed so far: what lists left behind while they grew then stays with the program. With
  /// another C library nothing changes.
  public static func returnsLargeBlocks() { cprocess_return_blocks(1 << 20) }
}
