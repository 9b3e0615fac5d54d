package org.saevhadoop.format.attributes;

import java.io.IOException;

/** Attributes that are opened when they are first asked for. */
public final class LazyAttributes implements Attributes {
  /** Opens the attributes. */
  @FunctionalInterface
  public interface Opener {
    /** Returns the attributes; {@link Attributes#NONE} where there are none. */
    Attributes open() throws IOException;
  }

  private final Opener opener;
  private Attributes opened;

  /** Attributes that an opener gives. */
  public LazyAttributes(Opener opener) {
    this.opener = opener;
  }

  @Override
  public AttributeCursor cursor(long first, long count) throws IOException {
    if (opened == null) {
      opened = opener.open();
    }
    return opened.cursor(first, count);
  }
}
