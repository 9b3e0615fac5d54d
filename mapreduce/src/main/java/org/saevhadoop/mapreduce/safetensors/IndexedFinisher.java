package org.saevhadoop.mapreduce.safetensors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.safetensors.index.TensorIndex;
import org.saevhadoop.mapreduce.index.TensorIndexBuilder;

/**
 * Writes the index of all tensors before the other documents of a dataset of safetensors files.
 *
 * @param plan the files
 * @param others writes the other documents
 */
record IndexedFinisher(WritePlan plan, DatasetFinisher others) implements DatasetFinisher {
  @Override
  public List<Document> documents(Folder written) throws IOException {
    List<Document> documents = new ArrayList<>();
    List<String> files = LongStream.range(0, plan.shardCount()).mapToObj(plan::shardName).toList();
    documents.add(
        new Document(TensorIndex.NAME, out -> TensorIndexBuilder.write(written, files, out)));
    documents.addAll(others.documents(written));
    return documents;
  }

  @Override
  public List<String> workFiles() {
    return others.workFiles();
  }
}
