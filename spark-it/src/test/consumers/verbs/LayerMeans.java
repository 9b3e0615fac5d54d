import java.io.IOException;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.stats.Statistics;

/** Prints the mean norm of the vectors of each layer. */
public final class LayerMeans {
  public static void main(String[] args) throws IOException, InterruptedException {
    for (var layer : Statistics.of(args[0], null).run(RunListener.NONE).layers()) {
      System.out.println(layer.layer() + " " + layer.norms().mean());
    }
  }
}
