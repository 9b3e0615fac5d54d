package org.saevhadoop.converters.pickle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.saevhadoop.converters.program.Fixtures;

/**
 * A good dataset of the corpus: what its expected.json says of it.
 *
 * @param mayFail whether it may be refused, as long as that is told
 */
public record PickledCase(Path folder, boolean mayFail, List<Sample> samples) {
  /**
   * One array.
   *
   * @param said what expected.json says of it
   */
  public record Sample(
      String directory, int layer, long id, long[] shape, String dtype, JsonNode said) {
    long tokens() {
      return LongStream.of(shape).limit(Math.max(0, shape.length - 1)).reduce(1, (a, b) -> a * b);
    }

    long dim() {
      return shape.length == 0 ? -1 : shape[shape.length - 1];
    }

    String sha256() {
      return said.get("sha256_c_le").asText();
    }

    String key(boolean idsPerDirectory) {
      return (idsPerDirectory ? directory : "") + id;
    }
  }

  public static PickledCase of(Path folder) throws IOException {
    JsonNode expected = Fixtures.json(folder.resolve("expected.json"));
    List<Sample> samples = new ArrayList<>();
    for (JsonNode shard : expected.get("shards")) {
      String file = shard.get("filename").asText();
      String directory = file.substring(0, file.lastIndexOf('/') + 1);
      for (JsonNode layer : shard.get("layers")) {
        for (JsonNode sample : layer.get("samples")) {
          long[] shape = sample.get("shape").valueStream().mapToLong(JsonNode::asLong).toArray();
          int number = layer.get("layer").asInt();
          long id = sample.get("sample_idx").asLong();
          samples.add(
              new Sample(directory, number, id, shape, sample.get("dtype").asText(), sample));
        }
      }
    }
    return new PickledCase(folder, expected.get("expect").asText().contains("error"), samples);
  }

  /** Whether another directory has another sample of the same id. */
  public boolean idsRepeat() {
    Set<String> all = new HashSet<>();
    return !samples.stream().allMatch(s -> all.add(s.layer + " " + s.id));
  }

  public TreeSet<Integer> layers() {
    TreeSet<Integer> layers = new TreeSet<>();
    samples.forEach(sample -> layers.add(sample.layer));
    return layers;
  }

  /** How many arrays have each number of tokens. */
  public TreeMap<Long, Long> lengths() {
    TreeMap<Long, Long> lengths = new TreeMap<>();
    samples.forEach(sample -> lengths.merge(sample.tokens(), 1L, Long::sum));
    return lengths;
  }

  /** Whether the arrays can be those of one dataset: of one type, one width, and vectors. */
  public boolean isDataset() {
    Sample first = samples.get(0);
    return samples.stream()
        .allMatch(s -> s.dim() > 0 && s.dim() == first.dim() && s.dtype.equals(first.dtype));
  }

  public boolean hasAllLayers(Sample sample) {
    return samples.stream().filter(other -> other.id == sample.id).count() == layers().size();
  }

  public boolean isComplete() {
    Set<Long> ids = new HashSet<>();
    samples.forEach(sample -> ids.add(sample.id));
    return idsRepeat() || ids.size() * layers().size() == samples.size();
  }
}
