import java.io.IOException;
import java.nio.file.Path;
import org.saevhadoop.format.Datasets;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.reader.vector.OrderedReader;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorView;

/** Prints the number of vectors of a layer of a dataset, read without Hadoop. */
public final class Shapes {
  public static void main(String[] args) throws IOException {
    ActivationDataset dataset = Datasets.open(Path.of(args[0])).requireActivations();
    int cls = dataset.activations().clsTokens().orElse(0);
    VectorView view = VectorView.of(dataset, cls, TokenChoice.ALL, 13);
    long rows = 0;
    try (OrderedReader reader = new OrderedReader(dataset, view, ReaderOptions.defaults())) {
      while (reader.next()) {
        rows += reader.batch().rows();
      }
    }
    System.out.println("vectors=" + rows);
  }
}
