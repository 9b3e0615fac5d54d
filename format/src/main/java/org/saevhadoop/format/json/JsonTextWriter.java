package org.saevhadoop.format.json;

import java.io.IOException;

/**
 * Writes a document part by part in a {@link JsonStyle}, without buffering. The writer adds
 * separators, indents and escapes; callers determine the order of keys and must end each object and
 * list that they begin. After an exception of the {@link Appendable}, which is passed on, the
 * document cannot be continued.
 */
public final class JsonTextWriter {
  private final Appendable out;
  private final JsonStyle style;
  private int depth;
  private boolean first;
  private boolean afterName;

  /** Creates a writer that appends one document to {@code out}. */
  public JsonTextWriter(Appendable out, JsonStyle style) {
    this.out = out;
    this.style = style;
  }

  /** Begins an object; each field is written by a call of {@link #name}, followed by its value. */
  public void beginObject() throws IOException {
    begin('{');
  }

  public void endObject() throws IOException {
    end('}');
  }

  public void beginArray() throws IOException {
    begin('[');
  }

  public void endArray() throws IOException {
    end(']');
  }

  /** Writes the key of the value that comes next. */
  public void name(String name) throws IOException {
    separate();
    style.escapes().quote(name, out);
    out.append(style.keySeparator());
    afterName = true;
  }

  public void string(String value) throws IOException {
    separate();
    style.escapes().quote(value, out);
  }

  /** Writes a number in the spelling of the style. */
  public void number(JsonNumber value) throws IOException {
    literal(style.text(value));
  }

  /** Writes a value that is already JSON: a number, a constant, or a whole document. */
  public void literal(String json) throws IOException {
    separate();
    out.append(json);
  }

  private void begin(char bracket) throws IOException {
    separate();
    out.append(bracket);
    depth++;
    first = true;
  }

  private void end(char bracket) throws IOException {
    depth--;
    if (!first) {
      newLine();
    }
    out.append(bracket);
    first = false;
  }

  private void separate() throws IOException {
    if (depth > 0 && !afterName) {
      if (!first) {
        out.append(style.itemSeparator());
      }
      newLine();
    }
    first = false;
    afterName = false;
  }

  private void newLine() throws IOException {
    if (style.indent() >= 0) {
      out.append('\n').append(" ".repeat(style.indent() * depth));
    }
  }
}
