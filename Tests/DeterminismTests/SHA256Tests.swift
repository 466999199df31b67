import Determinism
import Testing

/// The vectors of FIPS 180-4, and the one of a million letters.
@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "Published vectors",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func vectors(text: String, digest: String) {
    #expect(SHA256.hexadecimal(of: text.utf8) == digest)
  }

  @Test("Bytes may come in parts")
  func parts() {
    var digest = SHA256()
    for _ in 0..<1_000 { digest.absorb(Array(repeating: UInt8(ascii: "a"), count: 100)) }
    #expect(
      digest.hexadecimal
        == SHA256.hexadecimal(of: Array(repeating: UInt8(ascii: "a"), count: 100_000)))
  }
}
