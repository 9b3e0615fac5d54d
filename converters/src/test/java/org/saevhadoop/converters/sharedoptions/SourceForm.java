package org.saevhadoop.converters.sharedoptions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.saevhadoop.converters.sharedoptions.Choice.Stage;

/**
 * The form in which a source stores activations, and the options that reading it needs or takes.
 */
enum SourceForm {
  SAEV(Sources::saev, "saev") {
    @Override
    List<StoredType> types() {
      return List.of(StoredType.F32);
    }

    @Override
    boolean hasCls() {
      return true;
    }
  },
  /** Two files with a manifest, as safetensors-spark writes batches. */
  BATCHES(Sources::batches, "safetensors"),
  /** A tensor for each example and layer. */
  KEYS(Sources::keys, "safetensors"),
  /** One file with one tensor of layers that have no numbers in it. */
  ACTS(Sources::acts, "safetensors") {
    @Override
    List<Choice> needs() {
      return List.of(tensor("--tensor=acts=example,layer:3+5+12,token,dim"));
    }
  },
  /** A file for each request, as vLLM writes them. */
  REQUESTS(Sources::requests, "safetensors") {
    @Override
    List<Integer> layers() {
      return List.of(0, 1, 2);
    }

    @Override
    boolean isRagged() {
      return true;
    }

    @Override
    List<Choice> needs() {
      return List.of(tensor("--tensor=hidden_states=token,layer,dim"));
    }
  },
  /** Hooks with token ids and masks in one file of safetensors. */
  HOOKS(Sources::hooks, "safetensors") {
    @Override
    boolean hasMasks() {
      return true;
    }

    @Override
    List<Choice> needs() {
      return List.of(tensor("--tensor=blocks.{layer}.hook_resid_post=example,token,dim"));
    }
  },
  /** One array of four dimensions. */
  NPY(Sources::npy, "npy") {
    @Override
    List<Integer> layers() {
      return List.of(0, 1, 2);
    }
  },
  /** An array for each layer. */
  NPY_LAYERS(Sources::npyLayers, "npy"),
  /** One array in another order of dimensions, and with the most significant byte first. */
  NPY_TURNED(Sources::npyTurned, "npy") {
    @Override
    List<Choice> needs() {
      return List.of(tensor("--tensor=array=dim,token,layer:3+5+12,example"));
    }
  },
  NPZ(Sources::npz, "npy"),
  /** Compressed, with token ids and masks. */
  NPZ_DEFLATED(Sources::npzDeflated, "npy") {
    @Override
    boolean hasMasks() {
      return true;
    }
  },
  MEMMAP(Sources::memmap, "npy") {
    @Override
    List<Choice> needs() {
      return List.of(
          Choice.of(
              Stage.TENSOR,
              a -> a,
              "--files={hook}/shard_{shard}.memmap",
              "--tokens-per-example=4"));
    }
  },
  TORCH(Sources::torch, "torch"),
  /** With token ids and masks. */
  TORCH_MASKS(Sources::torchMasks, "torch") {
    @Override
    boolean hasMasks() {
      return true;
    }
  },
  SDNB(Sources::sdnb, "samediff"),
  /** One array of layers that have no numbers in it. */
  SDNB_ACTS(Sources::sdnbActs, "samediff") {
    @Override
    List<Choice> needs() {
      return List.of(tensor("--tensor=x=example,layer:3+5+12,token,dim"));
    }
  },
  SDZ(Sources::sdz, "samediff"),
  SDZ_DEFLATED(Sources::sdzDeflated, "samediff"),
  PICKLE(Sources::pickle, "pickle"),
  PICKLE_RAGGED(Sources::pickle, "pickle") {
    @Override
    boolean isRagged() {
      return true;
    }
  },
  /** The vectors are halved between two hosts. */
  PICKLE_HALVES(Sources::pickleHalves, "pickle") {
    @Override
    List<Choice> needs() {
      return List.of(Choice.of(Stage.HALVES, a -> a, "--join-halves"));
    }
  },
  /** One array whose layers are listed, not in ascending order. */
  NPY_LISTED(Sources::npy, "npy") {
    @Override
    List<Integer> layers() {
      return List.of(7, 3, 11);
    }

    @Override
    List<Choice> needs() {
      return List.of(tensor("--layer-names=7,3,11"));
    }
  },
  /** The same in a tensor. */
  ACTS_LISTED(Sources::acts, "safetensors") {
    @Override
    List<Integer> layers() {
      return List.of(7, 3, 11);
    }

    @Override
    List<Choice> needs() {
      return List.of(
          tensor("--tensor=acts=example,layer,token,dim"), tensor("--layer-names=7,3,11"));
    }
  },
  /** The values of one array without a header. */
  RAW(LooseSources::raw, "npy") {
    @Override
    List<Integer> layers() {
      return List.of(0, 1, 2);
    }

    @Override
    List<Choice> needsOf(StoredType type) {
      return List.of(tensor("--raw=%s,-1,3,4,6".formatted(type.numpy)));
    }
  },
  /** An array for each layer, one after another in a file. */
  NPY_SEQUENCE(LooseSources::npySequence, "npy") {
    @Override
    List<Integer> layers() {
      return List.of(0, 1, 2);
    }

    @Override
    List<Choice> needs() {
      return List.of(tensor("--tensor=array.{layer}=example,token,dim"));
    }
  },
  /** A pickle of a dictionary of arrays. */
  PICKLED_ARRAYS(LooseSources::pickledArrays, "npy") {
    @Override
    List<StoredType> types() {
      return StoredType.FLOATS;
    }

    @Override
    List<Choice> needsOf(StoredType type) {
      return List.of();
    }
  },
  /** A row for each vector, as this project writes them. */
  PARQUET_ROWS(LooseSources::parquetRows, "parquet") {
    @Override
    List<StoredType> types() {
      return StoredType.FLOATS;
    }
  },
  /** A row for each example, as this project writes them. */
  PARQUET_EXAMPLES(LooseSources::parquetExamples, "parquet") {
    @Override
    List<StoredType> types() {
      return StoredType.FLOATS;
    }
  },
  /** An array for each layer, next to tensors of another format. */
  NPY_AND_TORCH(LooseSources::npyAndTorch, "npy") {
    @Override
    List<Choice> needs() {
      return List.of(tensor("--from=npy"));
    }
  };

  /** Writes activations to a folder, and returns the path of the dataset. */
  interface Writer {
    Path write(Activations activations, Path folder) throws IOException;
  }

  private final Writer writer;
  final String format;

  SourceForm(Writer writer, String format) {
    this.writer = writer;
    this.format = format;
  }

  private static Choice tensor(String word) {
    return Choice.of(Stage.TENSOR, a -> a, word);
  }

  /**
   * Returns the types in which the form can hold activations. Arrays of integers of other programs
   * are none.
   */
  List<StoredType> types() {
    return Stream.of(StoredType.values())
        .filter(type -> type.isFloat() || !isArrays())
        .filter(type -> type.isCommon() || List.of("safetensors", "npy").contains(format))
        .toList();
  }

  private boolean isArrays() {
    return format.equals("npy") || format.equals("torch");
  }

  List<Integer> layers() {
    return List.of(3, 5, 12);
  }

  /** Returns whether [CLS] is stored, and known to be. */
  boolean hasCls() {
    return false;
  }

  /** Returns whether examples have different numbers of tokens. */
  boolean isRagged() {
    return false;
  }

  /** Returns whether token_ids, attention_mask and loss_mask are stored. */
  boolean hasMasks() {
    return false;
  }

  /** Returns whether per-token integers are stored. */
  boolean hasIntegers() {
    return hasMasks() || this == REQUESTS;
  }

  /** Returns the options without which the dataset cannot be read. */
  List<Choice> needs() {
    return List.of();
  }

  /** Returns the options without which values of a type cannot be read. */
  List<Choice> needsOf(StoredType type) {
    boolean hasNoName = format.equals("npy") && this != MEMMAP; // ml_dtypes names them
    return hasNoName && (type == StoredType.BF16 || !type.isCommon())
        ? List.of(tensor("--dtype-stored=" + type))
        : List.of();
  }

  /** Returns options that the form cannot honour. */
  List<Choice> foreign() {
    List<String> words = new ArrayList<>();
    if (!format.equals("pickle")) {
      words.add("--join-halves");
    }
    if (List.of("saev", "pickle").contains(format)) {
      words.add("--tensor=layer_3=example,token,dim");
    }
    if (List.of("saev", "pickle").contains(format)) {
      words.add("--mask=attention_mask=drop");
    }
    if (format.equals("saev")) {
      words.add("--ragged=flatten");
    }
    if (!hasCls()) {
      words.add("--tokens=cls");
    }
    return words.stream().map(SourceForm::tensor).toList();
  }

  Activations activations(StoredType type) {
    List<Integer> lengths =
        isRagged() ? List.of(3, 2, 5, 4, 2, 3, 5) : List.of(4, 4, 4, 4, 4, 4, 4);
    return Activations.random(
        type, layers(), 6, lengths, hasCls(), 31L * ordinal() + type.ordinal());
  }

  Path write(Activations activations, Path folder) throws IOException {
    return writer.write(activations, folder);
  }

  /** Returns choices of lengths, if the format has the option. */
  List<Choice> ragged() {
    if (format.equals("saev") || this == KEYS || this == ACTS) {
      return List.of();
    }
    return List.of(
        Choice.of(Stage.RAGGED, Activations::flatten, "--ragged=flatten"),
        Choice.of(Stage.RAGGED, a -> a.pad(6, 0), "--ragged=pad:6"),
        Choice.of(Stage.RAGGED, a -> a.pad(5, -2), "--ragged=pad:5:-2"),
        Choice.of(Stage.RAGGED, a -> a.truncate(2), "--ragged=truncate:2"));
  }

  /** Returns choices of some of the arrays, with other numbers of layers. */
  List<Choice> tensors() {
    return switch (this) {
      case BATCHES, KEYS, NPZ, TORCH, SDNB, SDZ, SDZ_DEFLATED ->
          List.of(
              Choice.of(
                  Stage.TENSOR,
                  a -> a.selectLayers(List.of(5)).naming(List.of(40)),
                  "--tensor=layer_5=example,layer:40,token,dim"),
              Choice.of(
                  Stage.TENSOR,
                  a -> a.selectLayers(List.of(12, 3)).naming(List.of(1, 9)),
                  "--tensor=layer_3=example,layer:9,token,dim",
                  "--tensor=layer_12=example,layer:1,token,dim"));
      default -> List.of();
    };
  }

  /** Returns choices of masks. */
  List<Choice> masks() {
    return List.of(
        Choice.of(Stage.MASK, a -> a, "--mask=attention_mask=keep"),
        Choice.of(Stage.MASK, a -> a.masked("attention_mask"), "--mask=attention_mask=drop"),
        Choice.of(
            Stage.MASK,
            a -> a.masked("loss_mask"),
            "--mask=loss_mask=drop",
            "--mask=attention_mask=keep"),
        Choice.of(
            Stage.MASK,
            a -> a.masked("attention_mask").masked("loss_mask"),
            "--mask=loss_mask=drop",
            "--mask=attention_mask=drop"));
  }
}
