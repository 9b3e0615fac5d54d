import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Prints the number of vectors of a layer, which Spark counts. */
public final class Counts {
  public static void main(String[] args) throws IOException {
    try (SparkSession session = SparkSession.builder().appName("Counts").getOrCreate()) {
      JavaSparkContext spark = new JavaSparkContext(session.sparkContext());
      Configuration conf = new Configuration(spark.hadoopConfiguration());
      conf.set("saev.input.record", "vector");
      conf.set("saev.input.layers", "13");
      long vectors =
          spark
              .newAPIHadoopFile(
                  args[0],
                  SaevInputFormat.class,
                  ActivationKey.class,
                  ActivationWritable.class,
                  conf)
              .map(record -> record._2().toFloats().length)
              .count();
      System.out.println("vectors=" + vectors);
    }
  }
}
