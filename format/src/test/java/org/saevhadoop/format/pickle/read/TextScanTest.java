package org.saevhadoop.format.pickle.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.Latin1Decoder;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class TextScanTest {
  /** What is said of a text, and the text if it is asked for; null where it is refused. */
  private static String scan(PayloadData.Form form, byte[] bytes, int piece, StringBuilder text) {
    PickleInput in = new PickleInput(StreamSource.of(bytes), ByteBuffer.allocate(1));
    TextScan scan =
        form == PayloadData.Form.UTF8
            ? new TextScan.Utf8(in, text)
            : new TextScan.Escaped(in, text);
    try {
      for (int at = 0; at < bytes.length; at += piece) {
        scan.take(ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at)).slice());
      }
      scan.end();
      return scan.latin1Length() + " " + scan.isPairSplit();
    } catch (FormatException e) {
      return null;
    }
  }

  private static byte[] array(int seed, int length, int kinds) {
    java.util.Random random = new java.util.Random(seed);
    StringBuilder text = new StringBuilder();
    int[] points = {'a', 0xe9, 0xff, 0x80, 0x20ac, 0x1f600};
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(points[random.nextInt(kinds)]);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Property
  void aTextThatIsCountedEqualsOneThatIsBuiltWhateverItsPieces(RandomValues any) {
    int seed = (int) any.seed();
    int length = any.intBetween(0, 300);
    int kinds = any.intBetween(1, 6);
    int piece = any.intBetween(1, 100);
    boolean isBroken = any.bool();
    byte[] bytes = array(seed, length, kinds);
    if (isBroken && bytes.length > 0) {
      bytes[Math.floorMod(seed, bytes.length)] ^= (byte) (1 << Math.floorMod(seed, 8));
    }
    StringBuilder text = new StringBuilder();
    String counted = scan(PayloadData.Form.UTF8, bytes, piece, null);
    assertThat(counted).isEqualTo(scan(PayloadData.Form.UTF8, bytes, bytes.length + 1, text));
    if (!isBroken) {
      assertThat(text.toString()).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
      long length1 = text.chars().allMatch(c -> c <= 0xff) ? text.length() : -1;
      assertThat(counted).isEqualTo(length1 + " false");
    }
  }

  @Property
  void latin1IsDecodedFromBothFormsWhateverThePieces(RandomValues any) throws IOException {
    byte[] raw = any.bytes(0, 255);
    int from = any.intBetween(1, 20);
    int to = any.intBetween(1, 20);
    String text = new String(raw, StandardCharsets.ISO_8859_1);
    assertThat(decode(PayloadData.Form.UTF8, text.getBytes(StandardCharsets.UTF_8), from, to))
        .isEqualTo(raw);
    StringBuilder escaped = new StringBuilder();
    for (char c : text.toCharArray()) {
      escaped.append(c == '\\' || c == '\n' || c % 7 == 0 ? String.format("\\u%04x", (int) c) : c);
    }
    byte[] bytes = escaped.toString().getBytes(StandardCharsets.ISO_8859_1);
    assertThat(decode(PayloadData.Form.RAW_UNICODE_ESCAPE, bytes, from, to)).isEqualTo(raw);
  }

  @Property
  void whatIsEscapedIsDecodedAsItWasScanned(RandomValues any) throws IOException {
    String text = any.textOf("\\uU04fx", 0, 40);
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    StringBuilder built = new StringBuilder();
    String said = scan(PayloadData.Form.RAW_UNICODE_ESCAPE, bytes, 3, built);
    if (said == null || said.startsWith("-1")) {
      return;
    }
    assertThat(decode(PayloadData.Form.RAW_UNICODE_ESCAPE, bytes, 1, 2))
        .isEqualTo(built.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] decode(PayloadData.Form form, byte[] bytes, int from, int to) {
    Latin1Decoder decoder = new Latin1Decoder(form);
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; at += from) {
      ByteBuffer piece = ByteBuffer.wrap(bytes, at, Math.min(from, bytes.length - at)).slice();
      while (piece.hasRemaining()) {
        ByteBuffer room = ByteBuffer.allocate(to);
        decoder.decode(piece, room);
        out.write(room.array(), 0, room.position());
      }
    }
    ByteBuffer room = ByteBuffer.allocate(to);
    decoder.end(room);
    out.write(room.array(), 0, room.position());
    return out.toByteArray();
  }
}
