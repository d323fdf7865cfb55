package measure
import ("testing";"os";"fmt";"vision/recognize/eval")
func TestDbg(t *testing.T){
 dir:=os.Getenv("DBG"); if dir=="" {t.Skip()}
 set,err:=eval.LoadSet(dir); if err!=nil{t.Fatal(err)}
 for i:=range set.Clips { c:=&set.Clips[i]
  held,l,err:=play(t.Context(),dir,c)
  fmt.Println(c.Clip,l,err)
  for _,h:=range held { fmt.Printf("   %.2f %v\n",h.At,h.Things)}
  for _,r:=range c.Rest { fmt.Printf("  want %.1f-%.1f %v\n",r.From,r.To,r.Things(c.Kind))}
 }
}
