package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samediff.sdnb.SdnbLayout;

/** The bytes of an SDNB file, written in order to an empty output. */
record SdnbSection(Output out, SdnbLayout layout) {
  /** Writes the bytes before the first array. */
  void begin() throws IOException {
    out.write(ByteBuffer.wrap(layout.head()));
  }

  /** Advances to an array, whose values must be written next. */
  void advanceTo(int array) throws IOException {
    out.extendTo(layout.offset(array));
  }

  /** Writes the bytes after the last array. */
  void end() throws IOException {
    out.extendTo(layout.dataEnd());
    out.write(ByteBuffer.wrap(layout.manifest()));
  }
}
