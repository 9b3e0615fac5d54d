import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;

/** The peer of digests: SHA-256 of files, by as many threads as there are processors. */
public final class HashFiles {
  public static void main(String[] files) {
    Arrays.stream(files).parallel().forEach(HashFiles::hash);
  }

  private static void hash(String file) {
    try (FileChannel in = FileChannel.open(Path.of(file))) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      ByteBuffer buffer = ByteBuffer.allocateDirect((1 << 20) + 64).alignedSlice(64);
      while (in.read(buffer) >= 0) {
        digest.update(buffer.flip());
        buffer.clear();
      }
      System.out.println(file + " " + digest.digest()[0]);
    } catch (Exception e) {
      throw new IllegalStateException(file, e);
    }
  }
}
