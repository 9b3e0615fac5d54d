package org.saevhadoop.converters;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.ModelCheck;
import org.saevhadoop.format.safetensors.SafetensorsHeader;
import org.saevhadoop.format.safetensors.Strictness;
import org.saevhadoop.format.safetensors.Tensor;

/**
 * Inspects files as tensors, whatever they mean.
 *
 * @param json one object, else lines for a person
 * @param digests whether the tensors' bytes are read for their SHA-256
 */
record InspectTensors(PrintWriter out, Strictness strictness, boolean json, boolean digests) {
  private static final int READ_BYTES = 1 << 20;

  /** Tells the tensors of a file, in data order. */
  void file(Folder folder, String name) throws IOException {
    try (Input in = folder.open(name)) {
      SafetensorsHeader header = SafetensorsHeader.read(in, strictness);
      ObjectNode metadata = null;
      if (header.metadata() != null) {
        metadata = JsonNodeFactory.instance.objectNode();
        header.metadata().forEach(metadata::put);
      }
      try (TensorReport report = new TensorReport(out, json, header.tensors().size())) {
        tensors(in, header, null, report);
        report.end(metadata, null);
      }
    }
  }

  /**
   * Tells the tensors of a model, file by file.
   *
   * @throws FormatException where its index and its files disagree
   */
  void model(Model model) throws IOException {
    ModelCheck check = ModelCheck.of(model.index(), model.folder(), strictness);
    if (!check.problems().isEmpty()) {
      throw check.problems().get(0);
    }
    JsonNode metadata = model.index().metadata();
    try (TensorReport report = new TensorReport(out, json, model.index().weightMap().size())) {
      for (String file : model.index().files()) {
        try (Input in = model.folder().open(file)) {
          tensors(in, SafetensorsHeader.read(in, strictness), file, report);
        }
      }
      report.end(metadata, check.warnings());
    }
  }

  private void tensors(Input in, SafetensorsHeader header, String file, TensorReport report)
      throws IOException {
    ByteBuffer buffer = digests ? ByteBuffer.allocateDirect(READ_BYTES) : null;
    for (Tensor tensor : header.tensors()) {
      String sha256 = digests ? sha256(in, header.dataStart(), tensor, buffer) : null;
      report.tensor(tensor, file, sha256);
    }
  }

  private static String sha256(Input in, long dataStart, Tensor tensor, ByteBuffer buffer)
      throws IOException {
    MessageDigest digest = Digests.sha256();
    for (long at = tensor.begin(); at < tensor.end(); at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), tensor.end() - at));
      in.readFully(dataStart + at, buffer);
      digest.update(buffer.flip());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
