package org.saevhadoop.format.pickleshards.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.shard.LayerKey;
import org.saevhadoop.format.samples.TokenRange;

/** Integers of samples with the tokens 1 and 3, or 3 alone. */
class SelectedIntegersTest {
  private static final List<TokenRange> SOME = List.of(new TokenRange(1, 2), new TokenRange(3, 4));

  private static PythonValue.Dict parse(String json) throws FormatException {
    return (PythonValue.Dict) PyJson.parse("x", json.replace('\'', '"'));
  }

  /** Returns a value as text, with dicts in braces. */
  private static String text(Object value) {
    if (value instanceof PythonValue.Dict dict) {
      StringBuilder text = new StringBuilder("{");
      for (int i = 0; i < dict.size(); i++) {
        text.append(dict.key(i)).append(':').append(text(dict.value(i))).append(' ');
      }
      return text.toString().strip() + "}";
    }
    return value instanceof PythonValue.PyList list ? LayerKey.items(list).toString() : "" + value;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // original length | sample | as it is written
        "-1 | {'tokens':{'a':[5,6,7,8]}}                | {tokens:{a:[6, 8]}}",
        "4  | {'tokens':{'a':[5,6,7,8],'b':[1,2,3,4]}}  | {tokens:{a:[6, 8] b:[2, 4]}}",
        "-1 | {'tokens':{'a':[5,6,7]}}                  | {tokens:{a:[6]}}",
        "4  | {'x':1,'metadata':{'tokens':{'a':[5,6,7,8]},'y':2}}"
            + " | {x:1 metadata:{tokens:{a:[6, 8]} y:2}}",
        // integers of the selected tokens
        "-1 | {'tokens':{'a':[5,6]}}                    | {tokens:{a:[5, 6]}}",
        "2  | {'tokens':{'a':[5,6]}}                    | {tokens:{a:[6]}}",
        // metadata of other programs
        "9  | {'metadata':{'tokens':{'a':[5,6,7,8]}}}   | {metadata:{tokens:{a:[5, 6, 7, 8]}}}",
        "4  | {'tokens':{'a':[5,6,7,8],'b':'text'}}     | {tokens:{a:[5, 6, 7, 8] b:text}}",
        "4  | {'tokens':{'a':[5,6,7,'x']}}              | {tokens:{a:[5, 6, 7, x]}}",
        "4  | {'tokens':[5,6,7,8],'metadata':[1]}       | {tokens:[5, 6, 7, 8] metadata:[1]}",
      })
  void integersAreThoseOfTheSelectedTokens(long original, String sample, String written)
      throws FormatException {
    PythonValue.Dict dict = parse(sample);
    assertThat(text(new SelectedIntegers(SOME, 2, original).of(dict))).isEqualTo(written);
    assertThat(new SelectedIntegers(List.of(), 4, original).of(dict)).isSameAs(dict);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3  | {'tokens':{'a':[5,6,7,8]}} | {tokens:{a:[8]}}",
        "3  | {'tokens':{'a':[5]}}       | {tokens:{a:[5]}}",
        "99999999999 | {'tokens':{'a':[5,6]}} | {tokens:{a:[]}}"
      })
  void aTokenHasItsOwnInteger(long position, String sample, String written) throws FormatException {
    PythonValue.Dict dict = SelectedIntegers.ofToken(position, -1).of(parse(sample));
    assertThat(text(dict)).isEqualTo(written);
    assertThat(SelectedIntegers.in(dict)).isSameAs(LayerKey.get(dict, "tokens"));
  }
}
