package org.saevhadoop.format.parquet.table;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.parquet.file.MemoryAccount;

/** The strings of a dictionary. Consecutive rows with the same string share one object. */
final class TextDictionary {
  private final PageTexts texts;
  private final Charset charset;
  private final MemoryAccount memory;
  private @Nullable String last;
  private int lastIndex;

  /**
   * Creates a dictionary.
   *
   * @param memory the account that is charged for the last string read
   */
  TextDictionary(PageTexts texts, Charset charset, MemoryAccount memory) {
    this.texts = texts;
    this.charset = charset;
    this.memory = memory;
  }

  String get(int index) throws CharacterCodingException {
    String text = last;
    if (text == null || index != lastIndex) {
      memory.release(text == null ? 0 : bytes(text));
      text = texts.get(index, charset);
      memory.take(bytes(text));
      last = text;
      lastIndex = index;
    }
    return text;
  }

  private static long bytes(String text) {
    return (long) Character.BYTES * text.length();
  }
}
