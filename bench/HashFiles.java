import java.io.FileInputStream;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;

/** The peer of digests: SHA-256 of files, by as many threads as there are processors. */
public final class HashFiles {
  public static void main(String[] files) {
    Arrays.stream(files).parallel().forEach(HashFiles::hash);
  }

  private static void hash(String file) {
    try (InputStream in = new FileInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 20];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      System.out.println(file + " " + digest.digest()[0]);
    } catch (Exception e) {
      throw new IllegalStateException(file, e);
    }
  }
}
