package org.saevhadoop.format.samediff;

import java.nio.file.Path;
import org.saevhadoop.format.io.*;
import org.saevhadoop.format.samediff.container.*;

class TryIt {
  public static void main(String[] a) throws Exception {
    for (String f :
        new String[] {
          "mixed.sdnb", "small_inline.sdnb", "sharded2.shard0-of-2.sdnb", "with_op.sdnb"
        }) {
      Folder folder = new LocalFolder(Path.of("/work/shared/corpus/samediff"));
      SameDiffContainer c = SameDiffContainer.read(Location.of(folder, f));
      System.out.println(f + " " + c.warnings() + " " + c.metadata() + c.placeholders());
      try (ArrayReader r = new ArrayReader(c)) {
        for (ContainerArray x : c.arrays()) {
          java.security.MessageDigest d = java.security.MessageDigest.getInstance("SHA-256");
          java.nio.ByteBuffer b = java.nio.ByteBuffer.allocate((int) x.array().length());
          r.read(x, 0, b);
          d.update(b.flip());
          System.out.println(
              f
                  + "|"
                  + x.name()
                  + "|"
                  + x.array().kind()
                  + "|"
                  + x.array().type()
                  + "|"
                  + x.array().shape()
                  + "|"
                  + x.array().order()
                  + "|"
                  + java.util.HexFormat.of().formatHex(d.digest()));
        }
      }
    }
  }
}
