package org.saevhadoop.converters.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.Datasets;
import org.saevhadoop.format.combined.Combination;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.combined.CombinedSource;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tokens.TokenReader;

/** All that a dataset has: values, labels, per-token integers, ids and sample metadata. */
record DatasetContents(Map<String, Object> found) {
  /** Returns what sources have together, as the view of several datasets reads it. */
  static DatasetContents ofView(Path temporary, Path... sources) throws IOException {
    List<CombinedSource> opened = new ArrayList<>();
    for (Path source : sources) {
      TableDataset dataset = open(source, temporary);
      opened.add(CombinedSource.of(source.toString(), "", () -> dataset));
    }
    return of(Combination.of(opened, Combine.EXAMPLES, false).dataset());
  }

  static DatasetContents of(Path path, Path temporary) throws IOException {
    return of(open(path, temporary));
  }

  private static TableDataset open(Path path, Path temporary) throws IOException {
    return Datasets.open(path, Files.createTempDirectory(temporary, "unpacked"));
  }

  private static DatasetContents of(TableDataset dataset) throws IOException {
    Map<String, Object> found = new TreeMap<>();
    ActivationDataset activations = dataset.requireActivations();
    found.put("geometry", activations.geometry());
    putValues(activations, found);
    putSamples(dataset, found);
    long examples = dataset.table().examples();
    if (activations.hasLabels()) {
      try (PatchLabels labels = activations.openLabels()) {
        ByteBuffer all = ByteBuffer.allocate((int) examples * labels.patches());
        labels.read(0, all);
        found.put("labels", all.flip());
      }
    }
    if (dataset.ids().isPresent()) {
      found.put("ids", dataset.ids().get().ids(0, (int) examples));
    }
    List<String> arrays = activations.tokenArrays().names();
    if (!arrays.isEmpty()) {
      try (TokenReader reader = activations.tokenArrays().open()) {
        for (int i = 0; i < arrays.size(); i++) {
          for (long example = 0; example < examples; example++) {
            LongBuffer integers = LongBuffer.allocate(activations.tokenArrays().tokens());
            reader.read(i, example, integers);
            found.put(arrays.get(i) + " " + example, integers.flip());
          }
        }
      }
    }
    return new DatasetContents(found);
  }

  private static void putValues(ActivationDataset dataset, Map<String, Object> found)
      throws IOException {
    RecordSelection all = RecordSelection.blocks(BlockOrder.byExample(dataset.table()), 1);
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.table().examples())) {
      while (cursor.next()) {
        ByteBuffer block = ByteBuffer.allocate(cursor.bytes().remaining());
        block.put(cursor.bytes().duplicate()).flip();
        found.put("block %d %d".formatted(cursor.example(), cursor.column()), block);
      }
    }
  }

  private static void putSamples(TableDataset dataset, Map<String, Object> found)
      throws IOException {
    if (dataset.sampleMetadata().isEmpty()) {
      return;
    }
    long examples = dataset.table().examples();
    try (SampleMetadataCursor cursor = dataset.sampleMetadata().get().cursor(0, examples)) {
      for (ExampleMetadata next = cursor.next(); next != null; next = cursor.next()) {
        for (long example = next.first(); example < next.end(); example++) {
          found.put("sample " + example, next.part(example, example + 1));
        }
      }
    }
  }

  /** Asserts that there are these kinds of things. */
  DatasetContents has(String... kinds) {
    for (String kind : kinds) {
      assertThat(found.keySet()).as(kind).anyMatch(key -> key.startsWith(kind));
    }
    return this;
  }
}
