package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.index.KeyedTensor;
import org.saevhadoop.format.safetensors.index.KeyedTensors;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/** The indices that safetensors-spark wrote, beside the files that it wrote. */
@RequiresCorpus
class TensorIndexCorpusTest {
  @Test
  void everyIndexAgreesWithTheHeadersOfItsFiles() throws IOException {
    List<Path> folders = indexed();
    assertThat(folders).hasSizeGreaterThanOrEqualTo(5);
    for (Path folder : folders) {
      Map<String, SafetensorsHeader> headers = new HashMap<>();
      int tensors = 0;
      for (String file : new LocalFolder(folder).files().keySet()) {
        if (file.endsWith(".safetensors")) {
          try (Input in = LocalFile.open(folder.resolve(file))) {
            headers.put(file, SafetensorsHeader.read(in));
            tensors += headers.get(file).tensors().size();
          }
        }
      }
      try (TensorIndex index = Entries.open(folder)) {
        List<TensorIndexEntry> all = Entries.all(index);
        assertThat(all).as(folder.toString()).hasSize(tensors).doesNotHaveDuplicates();
        for (TensorIndexEntry entry : all) {
          TensorInfo tensor = headers.get(entry.file()).tensor(entry.key()).orElseThrow();
          assertThat(entry.dtype()).isEqualTo(tensor.dtype());
          assertThat(entry.shape()).isEqualTo(tensor.shape());
          assertThat(entry.placed()).isFalse();
          assertThat(index.find(entry.key(), 10)).contains(entry);
        }
      }
    }
  }

  @Test
  void aTensorIsFetchedByAnIndexWithoutOffsets() throws IOException {
    Path folder = Corpus.part("safetensors-spark").resolve("kv_index");
    try (TensorIndex index = Entries.open(folder)) {
      KeyedTensors tensors = new KeyedTensors(new LocalFolder(folder), index.path());
      for (TensorIndexEntry entry : Entries.all(index)) {
        try (KeyedTensor tensor = tensors.fetch(index.find(entry.key()).orElseThrow())) {
          assertThat(tensor.tensor().name()).isEqualTo(entry.key());
        }
      }
    }
  }

  @Test
  void aKeyThatTwoTasksWroteIsAnError() throws IOException {
    Path folder = Corpus.part("safetensors-spark").resolve("bad_outputs").resolve("dupx");
    try (TensorIndex index = Entries.open(folder)) {
      String key = Entries.all(index).get(0).key();
      assertThat(index.find(key, 10)).hasSize(2);
      assertThatThrownBy(() -> index.find(key))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("has several entries");
    }
  }

  private static List<Path> indexed() throws IOException {
    try (Stream<Path> paths = Files.walk(Corpus.part("safetensors-spark"))) {
      return paths.filter(p -> p.endsWith(TensorIndex.NAME)).map(Path::getParent).toList();
    }
  }
}
