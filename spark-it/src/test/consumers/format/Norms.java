import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import org.saevhadoop.format.Datasets;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.reader.vector.OrderedReader;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorView;

/** Prints the mean norm of the vectors of a layer, read without Hadoop. */
public final class Norms {
  public static void main(String[] args) throws IOException {
    ActivationDataset dataset = Datasets.open(Path.of(args[0])).requireActivations();
    int cls = dataset.activations().clsTokens().orElse(0);
    VectorView view = VectorView.of(dataset, cls, TokenChoice.ALL, 13);
    double norms = 0;
    try (OrderedReader reader = new OrderedReader(dataset, view, ReaderOptions.defaults())) {
      while (reader.next()) {
        FloatBuffer values = reader.batch().floats(); // [rows, dim]
        for (int row = 0; row < reader.batch().rows(); row++) {
          double square = 0;
          for (int i = 0; i < dataset.geometry().dim(); i++) {
            square += Math.pow(values.get(), 2);
          }
          norms += Math.sqrt(square);
        }
      }
    }
    System.out.println(norms / view.length());
  }
}
