import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.RunListener;

/** Converts a dataset, and prints the digests of both. */
public final class Digests {
  public static void main(String[] args) throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    conf.setBoolean("saev.convert.verify", true);
    Conversion.Result written =
        Conversion.of(args[0], args[1], "safetensors", conf).run(RunListener.NONE);
    System.out.println(Digest.of(args[0], conf).run(RunListener.NONE));
    System.out.println(Digest.of(written.path(), conf).run(RunListener.NONE));
  }
}
